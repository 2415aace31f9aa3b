import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import type { AuthorizationServersClient } from './authorization-servers.client.js';
import type { OauthClient, StoredGrant } from './oauth-grants.repository.js';

/** Returns the configuration with which openid-client sends requests of this client, by the guarded fetch only. */
export async function configurationOf(
  { metadata, client }: Pick<StoredGrant, 'metadata' | 'client'>,
  servers: AuthorizationServersClient,
): Promise<Configuration> {
  const library = await import('openid-client');
  const authentication = authenticationOf(client, library);
  const config = new library.Configuration(metadata as ServerMetadata, client.id, {}, authentication);
  config[library.customFetch] = (url, options) => servers.fetchPatiently(url, options as RequestInit);
  // Which hosts may be reached without TLS is decided by the fetch.
  library.allowInsecureRequests(config);
  return config;
}

function authenticationOf(
  { method, secret }: OauthClient,
  { ClientSecretBasic, ClientSecretPost, None }: typeof import('openid-client'),
): ClientAuth {
  if (method === 'none' || secret === null) return None();
  return method === 'client_secret_post' ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}
