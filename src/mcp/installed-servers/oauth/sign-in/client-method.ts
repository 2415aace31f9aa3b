import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import type { OauthClient } from '../oauth-grants.repository.js';

/** The ways to authenticate at a token endpoint that the service knows, the first one that is offered is used. Form data is encoded alike everywhere. */
export const clientMethods = [
  'client_secret_post',
  'client_secret_basic',
  'none',
] as const satisfies OauthClient['method'][];

/** Returns the first way that the authorization server offers. Without a list it takes HTTP Basic (RFC 8414). */
export function clientMethodAt({
  token_endpoint_auth_methods_supported: offered = ['client_secret_basic'],
}: AuthorizationServerMetadata): OauthClient['method'] {
  return clientMethods.find((method) => offered.includes(method)) ?? 'client_secret_basic';
}

/** Returns how a client with a secret sends it. */
export function secretMethodAt(metadata: AuthorizationServerMetadata): OauthClient['method'] {
  return clientMethodAt(metadata) === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic';
}
