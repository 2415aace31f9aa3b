import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PublicAddress } from '../../../../platform/http/headers/service-origins.js';
import type { OauthClient } from '../oauth-grants.repository.js';
import type { ClientDocumentResponse } from './dto/client-document.response.js';

const NAME = 'Agent Work Platform';
/** 132 bits: no one finds another issuer with the same id. */
const ISSUER_ID_LENGTH = 22;

/** The service as a client, in the words of RFC 7591. */
export interface ClientDescription {
  client_name: string;
  client_uri: string;
  redirect_uris: [string];
  grant_types: string[];
  response_types: string[];
}

/** Describes the service as a client of authorization servers, under its public address. */
@Injectable()
export class ClientDescriptionService {
  constructor(private readonly address: PublicAddress) {}

  /** The redirect URI of clients that name it before the authorization server is known. */
  get redirectUri(): string {
    return `${this.address.url}/api/mcp/oauth/callback`;
  }

  /**
   * Returns the redirect URI of a client at an issuer. A client that the service registers has one of its issuer alone, so
   * that the answer of another authorization server arrives elsewhere (decision 0052).
   */
  redirectUriFor({ source }: Pick<OauthClient, 'source'>, issuer: string): string {
    return source === 'registered' ? this.redirectUriOf(issuer) : this.redirectUri;
  }

  redirectUriOf(issuer: string): string {
    const id = createHash('sha256').update(issuer).digest('base64url').slice(0, ISSUER_ID_LENGTH);
    return `${this.redirectUri}/${id}`;
  }

  /**
   * Whether a browser that was sent to a redirect URI arrives at this callback. The origin is not compared: processes without
   * PUBLIC_URL have one each.
   * @param issuerId the last part of the path of the callback; null for the one that issuers share
   */
  leadsTo(redirectUri: string, issuerId: string | null): boolean {
    const shared = new URL(this.redirectUri).pathname;
    return new URL(redirectUri).pathname === (issuerId === null ? shared : `${shared}/${issuerId}`);
  }

  /** The address of the Client ID Metadata Document; null over plain HTTP, where such an id has no meaning. */
  get documentUrl(): string | null {
    return this.address.url.startsWith('https:') ? this.clientId : null;
  }

  document(): ClientDocumentResponse {
    return {
      client_id: this.clientId,
      ...this.description(this.redirectUri),
      token_endpoint_auth_method: 'none',
    };
  }

  description(redirectUri: string): ClientDescription {
    return {
      client_name: NAME,
      client_uri: this.address.url,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  }

  private get clientId(): string {
    return `${this.address.url}/api/mcp/oauth/client.json`;
  }
}
