import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { basicCredentials, lenient } from '../../platform/http/oauth-answers.js';
import type { AuthorizationServersClient } from './authorization-servers.client.js';
import type { ClientIdentity, StoredGrant } from './oauth-grant.repository.js';

/** The ways to authenticate at a token endpoint that the service knows, the first one that is offered is used. Form data is encoded alike everywhere. */
export const clientMethods = [
  'client_secret_post',
  'client_secret_basic',
  'none',
] as const satisfies ClientIdentity['method'][];

/** Returns the first way that the authorization server offers. Without a list it takes HTTP Basic (RFC 8414). */
export function clientMethodAt({
  token_endpoint_auth_methods_supported: offered = ['client_secret_basic'],
}: AuthorizationServerMetadata): ClientIdentity['method'] {
  return clientMethods.find((method) => offered.includes(method)) ?? 'client_secret_basic';
}

/** Returns how a client with a secret sends it. */
export function secretMethodAt(metadata: AuthorizationServerMetadata): ClientIdentity['method'] {
  return clientMethodAt(metadata) === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic';
}

/**
 * Returns the configuration with which openid-client sends requests of this client, by the guarded fetch only.
 * @param onStatus gets the status of each answer, which some errors of the library do not have
 */
export async function configurationOf(
  { metadata, client }: Pick<StoredGrant, 'metadata' | 'client'>,
  servers: AuthorizationServersClient,
  onStatus: (status: number) => void = () => undefined,
): Promise<Configuration> {
  const library = await import('openid-client');
  const authentication = authenticationOf(client, library);
  const config = new library.Configuration(metadata as ServerMetadata, client.id, {}, authentication);
  const fetch = lenient(servers.fetchPatiently, 'token');
  config[library.customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    onStatus(response.status);
    return response;
  };
  // Which hosts may be reached without TLS is decided by the fetch.
  library.allowInsecureRequests(config);
  return config;
}

function authenticationOf(
  { method, secret }: ClientIdentity,
  { ClientSecretPost, None }: typeof import('openid-client'),
): ClientAuth {
  if (method === 'none' || secret === null) return None();
  return method === 'client_secret_post' ? ClientSecretPost(secret) : secretInHeader(secret);
}

/** Authenticates a client by HTTP Basic. */
export function secretInHeader(secret: string): ClientAuth {
  return (_server, client, _body, headers) =>
    headers.set('authorization', basicCredentials(client.client_id, secret));
}
