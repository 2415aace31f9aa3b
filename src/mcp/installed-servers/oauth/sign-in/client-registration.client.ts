import { registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client';
import type { AuthorizationServerMetadata, OAuthClientInformationFull } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { McpUnavailable } from '../../../processes/connection/mcp-errors.js';
import { lenient } from '../../../../platform/http/outbound/oauth-answers.js';
import { OutboundError } from '../../../../platform/http/outbound/outbound-error.js';
import { AuthorizationServersClient } from '../authorization-servers.client.js';
import type { OauthClient } from '../oauth-grants.repository.js';
import { ClientDescriptionService } from './client-description.service.js';
import { clientMethodAt, clientMethods } from './client-method.js';
import { SignInUnavailable } from './sign-in.errors.js';

export interface RegisteredClient {
  client: OauthClient;
  /** When its secret ends; null: never. */
  expiresAt: Date | null;
}

/** Registers the service at authorization servers that take new clients by themselves (RFC 7591). */
@Injectable()
export class ClientRegistrationClient {
  constructor(
    private readonly servers: AuthorizationServersClient,
    private readonly description: ClientDescriptionService,
  ) {}

  /** @throws {SignInUnavailable} when the server does not register it */
  async register(metadata: AuthorizationServerMetadata): Promise<RegisteredClient> {
    const method = clientMethodAt(metadata);
    const { host } = new URL(metadata.issuer);
    const redirectUri = this.description.redirectUriOf(metadata.issuer);
    try {
      const clientMetadata = {
        ...this.description.description(redirectUri),
        token_endpoint_auth_method: method,
        application_type: applicationType(redirectUri),
      };
      const information = await registerClient(metadata.issuer, {
        metadata,
        clientMetadata,
        fetchFn: lenient(this.servers.fetch, 'registration'),
      });
      return registered(information, method);
    } catch (error) {
      throw new SignInUnavailable(
        `The authorization server ${host} did not register this service as a client (${reasonOf(error)}). ` +
          `Register it there by hand with the redirect URI ${this.description.redirectUri}, and name the client in the entry's oauth.`,
      );
    }
  }
}

/** Servers may refuse plain HTTP redirect URIs of web applications; those of loopback belong to native ones (RFC 8252). */
function applicationType(redirectUri: string): 'web' | 'native' {
  return redirectUri.startsWith('http:') ? 'native' : 'web';
}

/** The year 2100: a server may write any number. */
const LATEST_SECONDS = 4_102_444_800;

/** The server may have chosen another way for the client to authenticate than the one that was asked for. */
function registered(information: OAuthClientInformationFull, asked: OauthClient['method']): RegisteredClient {
  const answered = information.token_endpoint_auth_method ?? asked;
  const method = clientMethods.find((known) => known === answered);
  const secret = information.client_secret ?? null;
  if (method === undefined || (method !== 'none' && secret === null))
    throw new UnusableRegistration(
      method === undefined
        ? `token_endpoint_auth_method must be one of ${clientMethods.join(', ')}, and its answer has another one`
        : `token_endpoint_auth_method is ${method}, and its answer has no client_secret`,
    );
  const ends = information.client_secret_expires_at ?? 0;
  return {
    client: {
      id: information.client_id,
      secret: method === 'none' ? null : secret,
      method,
      source: 'registered',
    },
    expiresAt: ends === 0 || method === 'none' ? null : new Date(Math.min(ends, LATEST_SECONDS) * 1_000),
  };
}

/** The server registered a client that cannot authenticate. */
class UnusableRegistration extends Error {}

/** Says nothing that the server wrote. */
function reasonOf(error: unknown): string {
  if (error instanceof RegistrationRejectedError) return `HTTP ${error.status}`;
  if (error instanceof McpUnavailable) return error.reason;
  if (error instanceof UnusableRegistration) return `its answer cannot be used: ${error.message}`;
  return OutboundError.behind(error)?.message ?? 'its answer cannot be used';
}
