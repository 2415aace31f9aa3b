import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { basicCredentials, lenient } from '../../../platform/http/outbound/oauth-answers.js';
import type { AuthorizationServersClient } from './authorization-servers.client.js';
import type { OauthClient, StoredGrant } from './oauth-grants.repository.js';

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
  { method, secret }: OauthClient,
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
