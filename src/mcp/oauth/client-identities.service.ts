import { createHash } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  type OAuthClientInformationFull,
  registerClient,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { KeyedQueue } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { Settings } from '../../platform/config/settings.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { lenient } from '../../platform/http/oauth-answers.js';
import { PublicAddress } from '../../platform/http/origins-and-redirects.js';
import { OutboundError } from '../../platform/http/outbound-addresses-and-errors.js';
import type { AuthorizationCodeOauth } from '../catalog/catalog-entry.js';
import { fillTemplate } from '../catalog/variable-values-and-placeholders.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import { type ClientIdentity, OauthClientRepository } from './oauth-sign-in-grant-and-client.repository.js';
import { SignInUnavailable } from './sign-in-outcomes-and-errors.js';
import { clientMethodAt, clientMethods, secretMethodAt } from './token-endpoint.client.js';

const NAME = 'Agent Work Platform';
const CALLBACK = '/api/mcp/oauth/callback';
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

/** The Client ID Metadata Document, whose address is the id of the client. */
export interface ClientDocument extends ClientDescription {
  client_id: string;
  token_endpoint_auth_method: string;
}

/** Describes the service as a client of authorization servers, under its public address. */
@Injectable()
export class ClientDescriptionService {
  constructor(private readonly address: PublicAddress) {}

  /** The redirect URI of clients that name it before the authorization server is known. */
  get redirectUri(): string {
    return `${this.address.url}${CALLBACK}`;
  }

  /**
   * Returns the redirect URI of a client at an issuer. A client that the service registers has one of its issuer alone, so
   * that the answer of another authorization server arrives elsewhere (decision 0052).
   */
  redirectUriFor({ source }: Pick<ClientIdentity, 'source'>, issuer: string): string {
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

  document(): ClientDocument {
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

interface RegisteredClient {
  client: ClientIdentity;
  /** When its secret ends; null: never. */
  expiresAt: Date | null;
}

/**
 * Registers the service at an authorization server that takes new clients by itself (RFC 7591).
 * @throws {SignInUnavailable} when the server does not register it
 */
async function register(
  metadata: AuthorizationServerMetadata,
  servers: AuthorizationServersClient,
  description: ClientDescriptionService,
): Promise<RegisteredClient> {
  const method = clientMethodAt(metadata);
  const { host } = new URL(metadata.issuer);
  const redirectUri = description.redirectUriOf(metadata.issuer);
  try {
    const clientMetadata = {
      ...description.description(redirectUri),
      token_endpoint_auth_method: method,
      application_type: applicationType(redirectUri),
    };
    const information = await registerClient(metadata.issuer, {
      metadata,
      clientMetadata,
      fetchFn: lenient(servers.fetch, 'registration'),
    });
    return registered(information, method);
  } catch (error) {
    throw new SignInUnavailable(
      `The authorization server ${host} did not register this service as a client (${reasonOf(error)}). ` +
        `Register it there by hand with the redirect URI ${description.redirectUri}, and name the client in the entry's oauth.`,
    );
  }
}

/** Servers may refuse plain HTTP redirect URIs of web applications; those of loopback belong to native ones (RFC 8252). */
function applicationType(redirectUri: string): 'web' | 'native' {
  return redirectUri.startsWith('http:') ? 'native' : 'web';
}

/** The year 2100: a server may write any number. */
const LATEST_SECONDS = 4_102_444_800;

/** The server may have chosen another way for the client to authenticate than the one that was asked for. */
function registered(
  information: OAuthClientInformationFull,
  asked: ClientIdentity['method'],
): RegisteredClient {
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

/** Values of the variables that an entry uses, by name. */
type Values = Readonly<Record<string, string | null>>;

/** Decides as which client the service signs in at an authorization server (contract §3.7). */
@Injectable()
export class ClientIdentitiesService {
  /** Beginnings at once wait for the client that the first of them registers, per issuer. */
  private readonly registrations = new KeyedQueue();

  constructor(
    private readonly description: ClientDescriptionService,
    private readonly servers: AuthorizationServersClient,
    private readonly clients: OauthClientRepository,
    private readonly secrets: SecretRegister,
    private readonly settings: Settings,
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
  ): Promise<ClientIdentity> {
    const client =
      staticClient(oauth, values, metadata) ??
      this.documentClientAt(metadata) ??
      (metadata.registration_endpoint === undefined
        ? null
        : await this.registrations.run(metadata.issuer, () => this.registered(metadata, openClients)));
    if (!client) throw this.noClient(metadata);
    if (client.secret !== null) this.secrets.set(`client at ${metadata.issuer}`, [client.secret]);
    return client;
  }

  /** Makes the next sign-in register another client, where the authorization server no longer knows this one. */
  async forget(issuer: string, client: ClientIdentity): Promise<void> {
    if (client.source !== 'registered') return;
    await this.clients.forget(issuer, client);
  }

  /**
   * Forgets clients of a former PUBLIC_URL, and returns how many. Grants and sign-ins on their way have their client with them.
   * Without PUBLIC_URL each process has an address of its own, so none is a former one.
   */
  async forgetFormer(): Promise<number> {
    const { publicUrl } = this.settings;
    return publicUrl === null ? 0 : this.clients.removeFormer(`${publicUrl}${CALLBACK}/`);
  }

  /**
   * The redirect URI of the document is the same for all issuers, and any of them takes the document. So only the issuer in
   * the answer distinguishes them, and one that does not promise it gets another client (decision 0052).
   */
  private documentClientAt(metadata: AuthorizationServerMetadata): ClientIdentity | null {
    const { documentUrl } = this.description;
    const isOffered = takesDocuments(metadata) && promisesIssuer(metadata) && documentUrl !== null;
    return isOffered ? { id: documentUrl, secret: null, method: 'none', source: 'document' } : null;
  }

  private async registered(
    metadata: AuthorizationServerMetadata,
    openClients: ReadonlySet<string>,
  ): Promise<ClientIdentity> {
    const redirectUri = this.description.redirectUriOf(metadata.issuer);
    const known = await this.clients.known(metadata.issuer, redirectUri);
    const isLost = known?.mayBeLost && openClients.has(known.client.id);
    if (known && !isLost) return known.client;
    const { client, expiresAt } = await register(metadata, this.servers, this.description);
    return this.clients.put(metadata.issuer, redirectUri, client, expiresAt);
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
): ClientIdentity | null {
  const filled = (template: string | null | undefined) =>
    template == null ? null : fillTemplate(template, {}, (name) => values[name] ?? null);
  const id = filled(clientId);
  if (id === null) return null;
  const secret = filled(clientSecret);
  return { id, secret, method: secret === null ? 'none' : secretMethodAt(metadata), source: 'static' };
}
