import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { CredentialSetResponse } from '../../../src/mcp/credentials/credential-set.dto.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { type PersonAtBrowser, signInTo } from '../../support/oidc/server-sign-in.js';
import type { Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import * as wire from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, grant, type Installed, pathOf } from './servers.js';

const SECRET = canary(`client-secret-${randomUUID()}`);
const variables = [{ name: 'CLIENT_ID' }, { name: 'CLIENT_SECRET', isSecret: true }, { name: 'NOTE' }];
const clientId = '{env:CLIENT_ID}';
const clientSecret = '{env:CLIENT_SECRET}';

/** Values with which a set uses the client that the provider knows. */
export const byHand = { envValues: { CLIENT_ID: 'by-hand', CLIENT_SECRET: SECRET } };
/** What the entries of servers say to which people sign in. */
export const signInEntry = {
  variables,
  manifest: { oauth: { grant: 'authorization_code', clientId, clientSecret } },
};
const accounts = { ada: {}, bob: {} };

/** An authorization server, and a protected server of each era with an entry of its name in a catalogue. */
export class OauthSetting {
  readonly catalog = new LocalCatalog();

  private constructor(
    readonly provider: OidcProvider,
    readonly modern: ProtectedServer,
    readonly legacy: ProtectedServer,
  ) {
    this.catalog.http('modern', modern.url, signInEntry).http('legacy', legacy.url, signInEntry);
  }

  static async start(): Promise<OauthSetting> {
    const provider = await new OidcProvider().start();
    const { issuer } = provider;
    return new OauthSetting(
      provider,
      await ProtectedServer.start('modern', issuer),
      await ProtectedServer.start('legacy', issuer),
    );
  }

  get settings(): Record<string, string> {
    const hosts = [new URL(this.provider.issuer).host, this.modern.host, this.legacy.host];
    return { CATALOG_DIRS: this.catalog.folder, OUTBOUND_ALLOWED_HOSTS: hosts.join(',') };
  }

  async stop(): Promise<void> {
    await Promise.all([this.provider.stop(), this.modern.close(), this.legacy.close()]);
    this.catalog.remove();
  }

  /** Registers the client of the sets, and the people who sign in. */
  async register({ baseUrl }: Service): Promise<void> {
    const client = {
      client_id: 'by-hand',
      client_secret: SECRET,
      redirect_uris: [`${baseUrl}/api/mcp/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
    };
    await this.provider.change({ clients: [client], accounts });
  }

  /** Makes every refresh token worth something, with or without rotation. */
  async reset(rotation = true): Promise<void> {
    await this.provider.change({ accounts, rotation });
  }

  /** The refresh tokens of this person are worth nothing any more. */
  async withdraw(account: 'ada' | 'bob'): Promise<void> {
    const rest = Object.entries(accounts).filter(([id]) => id !== account);
    await this.provider.change({ accounts: Object.fromEntries(rest) });
  }

  /** How many tokens the provider has granted. */
  granted(): Promise<number> {
    return this.provider.change({});
  }
}

/** Installs a server that a person has signed in to, and waits until it works. */
export async function aSignedInServer(
  { owner }: Service,
  person: PersonAtBrowser,
  entry = 'modern',
): Promise<Installed> {
  const server = await aServer(owner, entry, byHand);
  const page = await signInTo(person, server, { account: 'ada' });
  if (!page.endsWith('signIn=done')) throw new Error(`The sign-in led to ${page}.`);
  await until(async () => (await owner.get<Installed>(pathOf(server))).body.lastVerification);
  return server;
}

export async function anAgentOf(service: Service, server: Installed, credentialSet = 'default') {
  const agent = await asAgent(service);
  await grant(service.owner, server, agent, { credentialSet });
  return agent;
}

export const setsOf = (server: { id: string }) => `${pathOf(server)}/credential-sets`;

export async function setOf({ owner }: Service, server: Installed, name = 'default') {
  const { body } = await owner.get<Wire<CredentialSetResponse>[]>(setsOf(server));
  return body.find((set) => set.name === name)!;
}

/** Calls the tool `echo` as an agent and returns the whole answer. */
export async function echo(agent: Caller, { slug }: Installed, value = 'hello'): Promise<string> {
  const call = { name: `${slug}__echo`, arguments: { value } };
  return (await wire.modern(agent, 'tools/call', call)).text;
}

/** The server takes none of the tokens that it has taken before. */
export function refuseTokens(server: ProtectedServer): void {
  for (const id of server.tokens.keys()) server.revoked.add(id);
}

/** Whose token a server took last. */
export const lastPerson = (server: ProtectedServer) => decodeJwt(server.texts.at(-1)!).sub;
