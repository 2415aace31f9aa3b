import { Injectable } from '@nestjs/common';
import { PublicAddress } from '../../../../platform/http/headers/service-origins.js';
import type { ClientDocumentResponse } from './dto/client-document.response.js';

const NAME = 'Agent Work Platform';

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

  get redirectUri(): string {
    return `${this.address.url}/api/mcp/oauth/callback`;
  }

  /** The address of the Client ID Metadata Document; null over plain HTTP, where such an id has no meaning. */
  get documentUrl(): string | null {
    return this.address.url.startsWith('https:') ? this.clientId : null;
  }

  document(): ClientDocumentResponse {
    return { client_id: this.clientId, ...this.description(), token_endpoint_auth_method: 'none' };
  }

  description(): ClientDescription {
    return {
      client_name: NAME,
      client_uri: this.address.url,
      redirect_uris: [this.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  }

  private get clientId(): string {
    return `${this.address.url}/api/mcp/oauth/client.json`;
  }
}
