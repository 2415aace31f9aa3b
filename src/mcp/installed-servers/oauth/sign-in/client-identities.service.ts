import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { SecretRegister } from '../../../../platform/encryption/secret-register.js';
import type { AuthorizationCodeOauth } from '../../../catalog/catalog-entry.js';
import { fillTemplate } from '../../../catalog/placeholders.js';
import type { OauthClient } from '../oauth-grants.repository.js';
import { ClientDescriptionService } from './client-description.service.js';
import { secretMethodAt } from './client-method.js';
import { ClientRegistrationClient } from './client-registration.client.js';
import { OauthClientsRepository } from './oauth-clients.repository.js';
import { SignInUnavailable } from './sign-in.errors.js';

/** Values of the variables that an entry uses, by name. */
type Values = Readonly<Record<string, string | null>>;

/** Decides as which client the service signs in at an authorization server (contract §3.7). */
@Injectable()
export class ClientIdentitiesService {
  constructor(
    private readonly description: ClientDescriptionService,
    private readonly registration: ClientRegistrationClient,
    private readonly clients: OauthClientsRepository,
    private readonly secrets: SecretRegister,
  ) {}

  /**
   * The order is that of the MCP specification: a client that the operator has registered, the client of the metadata
   * document, a client that the service registers by itself.
   * @param openClients the ids of the clients of sign-ins of the same set that have not come back: an authorization server
   * that has lost a client shows that to the person only, so the next sign-in registers another one
   * @throws {SignInUnavailable} when there is none
   */
  async clientAt(
    metadata: AuthorizationServerMetadata,
    oauth: AuthorizationCodeOauth,
    values: Values,
    openClients: ReadonlySet<string>,
  ): Promise<OauthClient> {
    const client =
      staticClient(oauth, values, metadata) ??
      this.documentClientAt(metadata) ??
      (metadata.registration_endpoint === undefined ? null : await this.registered(metadata, openClients));
    if (!client) throw this.noClient(metadata);
    if (client.secret !== null) this.secrets.set(`client at ${metadata.issuer}`, [client.secret]);
    return client;
  }

  /** Makes the next sign-in register another client, where the authorization server no longer knows this one. */
  async forget(issuer: string, client: OauthClient): Promise<void> {
    if (client.source !== 'registered') return;
    await this.clients.forget(issuer, this.description.redirectUriOf(issuer), client);
  }

  /**
   * The redirect URI of the document is the same for all issuers, and any of them takes the document. So only the issuer in
   * the answer distinguishes them, and one that does not promise it gets another client (decision 0052).
   */
  private documentClientAt(metadata: AuthorizationServerMetadata): OauthClient | null {
    const { documentUrl } = this.description;
    const isOffered = takesDocuments(metadata) && promisesIssuer(metadata) && documentUrl !== null;
    return isOffered ? { id: documentUrl, secret: null, method: 'none', source: 'document' } : null;
  }

  private async registered(
    metadata: AuthorizationServerMetadata,
    openClients: ReadonlySet<string>,
  ): Promise<OauthClient> {
    const redirectUri = this.description.redirectUriOf(metadata.issuer);
    const known = await this.clients.find(metadata.issuer, redirectUri);
    const isLost = known?.mayBeLost && openClients.has(known.client.id);
    if (known && !isLost) return known.client;
    const { client, expiresAt } = await this.registration.register(metadata);
    await this.clients.put(metadata.issuer, redirectUri, client, expiresAt);
    return client;
  }

  private noClient(metadata: AuthorizationServerMetadata): SignInUnavailable {
    const { host } = new URL(metadata.issuer);
    const byHand =
      `The authorization server ${host} does not register clients by itself. Register this service there ` +
      `by hand with the redirect URI ${this.description.redirectUri}, and name the client in the entry's oauth.`;
    if (!takesDocuments(metadata)) return new SignInUnavailable(byHand);
    return new SignInUnavailable(
      promisesIssuer(metadata)
        ? `${byHand} Or set PUBLIC_URL to an https address, which it takes as a client.`
        : `${byHand} It is not given the address of client.json, because it does not promise to name itself in its answers (RFC 9207).`,
    );
  }
}

function takesDocuments(metadata: AuthorizationServerMetadata): boolean {
  return metadata['client_id_metadata_document_supported'] === true;
}

function promisesIssuer(metadata: AuthorizationServerMetadata): boolean {
  return metadata['authorization_response_iss_parameter_supported'] === true;
}

/** Returns null where the id has no value. A client whose secret has no value is a public client. */
function staticClient(
  { clientId, clientSecret }: AuthorizationCodeOauth,
  values: Values,
  metadata: AuthorizationServerMetadata,
): OauthClient | null {
  const filled = (template: string | null | undefined) =>
    template == null ? null : fillTemplate(template, {}, (name) => values[name] ?? null);
  const id = filled(clientId);
  if (id === null) return null;
  const secret = filled(clientSecret);
  return { id, secret, method: secret === null ? 'none' : secretMethodAt(metadata), source: 'static' };
}
