import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { hashOfKey } from '../../platform/authentication/key-format-and-authentication.service.js';
import {
  actorOf,
  isAtLeast,
  type UserPrincipal,
} from '../../platform/authentication/principals-and-roles.js';
import {
  clientNetwork,
  OncePerMinute,
} from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { ownPath } from '../../platform/http/origins-and-redirects.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { currentOrigin, JournalService } from '../../platform/journal/journal.service.js';
import type { AuthorizationCodeOauth, RemoteEntry } from '../catalog/catalog-entry.js';
import { remoteOf } from '../catalog/launch-template.js';
import { effectiveValue } from '../catalog/variable-values-and-placeholders.js';
import { CredentialsService, secretsAmong } from '../credentials/credentials-and-env-values.service.js';
import { AuthorizationCodeClient, type BrowserAnswer } from '../oauth/authorization-code.client.js';
import { AuthorizationServersClient, type TokenIssuer } from '../oauth/authorization-servers.client.js';
import { ClientIdentitiesService } from '../oauth/client-identities.service.js';
import {
  OauthSignInRepository,
  type OpenSignIn,
} from '../oauth/oauth-sign-in-grant-and-client.repository.js';
import {
  GrantRevocationsService,
  SignInNotOffered,
  whyNotOffered,
} from '../oauth/sign-in-needed-offered-and-revoked.service.js';
import {
  SignInFailed,
  type SignInOutcome,
  SignInRejected,
  SignInUnavailable,
} from '../oauth/sign-in-outcomes-and-errors.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import type { BegunSignInResponse } from './sign-in.dto.js';
import { SignedInGrantsService } from './signed-in-grants.service.js';

/** Removes unfinished sign-ins at remote servers, and clients of former addresses. Nothing depends on when that happens. */
@Injectable()
export class SignInChoresWorker {
  constructor(chores: ChoresWorker, signIns: OauthSignInRepository, identities: ClientIdentitiesService) {
    chores.add({
      name: 'unfinished sign-ins at remote servers',
      everySeconds: 60,
      run: async () => (await signIns.sweep()) + (await identities.forgetFormer()),
    });
  }
}

/** Outcomes for which the authorization server or the entry has to be looked at. */
const OF_OPERATOR = new Set<SignInOutcome>(['refused', 'invalid', 'unavailable']);

/**
 * Records sign-ins that were rejected, without state, code or token. One per minute, outcome, set and network is recorded,
 * because anybody can repeat one without end.
 */
@Injectable()
export class SignInRejectionsService {
  private readonly log = new Logger(SignInRejectionsService.name);
  private readonly once = new OncePerMinute();

  constructor(
    private readonly sets: CredentialSetRepository,
    private readonly journal: JournalService,
  ) {}

  /** @param open the sign-in; null: it is not known which one */
  async record({ outcome, error }: SignInRejected, open: OpenSignIn | null): Promise<void> {
    const network = clientNetwork(currentOrigin()?.from ?? null);
    if (!this.once.first(`${outcome} ${open?.credentialSetId ?? ''} ${network}`)) return;
    const authorizationServer = open && open.metadata.issuer;
    if (OF_OPERATOR.has(outcome))
      this.log.warn({
        msg: `A sign-in at the authorization server ${authorizationServer} failed (${outcome}): check the client there, and that the server is up.`,
        error,
      });
    const set = open && (await this.sets.findById(open.credentialSetId));
    await this.journal.record({
      type: 'mcp.credentials.sign_in_failed',
      subject: { type: 'server', id: set?.serverId ?? null },
      data: { credentialSet: set?.name ?? null, authorizationServer, reason: outcome, error },
    });
  }
}

/** The page for a browser whose sign-in is not known. */
const SERVERS = '/servers';

/** Ends sign-ins of people at the authorization servers of remote servers (contract §3.7). */
@Injectable()
export class OauthCallbackService {
  constructor(
    private readonly signIns: OauthSignInRepository,
    private readonly codes: AuthorizationCodeClient,
    private readonly identities: ClientIdentitiesService,
    private readonly grants: SignedInGrantsService,
    private readonly rejections: SignInRejectionsService,
    private readonly revocations: GrantRevocationsService,
  ) {}

  /**
   * Takes the answer of an authorization server, whatever it is, and returns the path that the browser goes to.
   * @param caller the user of the browser's session; null: it has none
   */
  async complete(answer: BrowserAnswer, caller: UserPrincipal | null): Promise<string> {
    const origin = currentOrigin();
    if (origin && caller) origin.actor = actorOf(caller);
    const state = answer.query.get('state');
    const open = state === null || caller === null ? null : await this.take(state, caller);
    try {
      if (open === null) throw new SignInRejected('expired');
      await this.signIn(answer, state!, open, caller!);
      return pageOf(open, 'done');
    } catch (error) {
      if (!(error instanceof SignInRejected)) throw error;
      await this.rejections.record(error, open);
      return pageOf(open, error.outcome);
    }
  }

  private take(state: string, { id, sessionId }: UserPrincipal): Promise<OpenSignIn | null> {
    return this.signIns.take(hashOfKey(state), id, sessionId!);
  }

  private async signIn(
    answer: BrowserAnswer,
    state: string,
    open: OpenSignIn,
    caller: UserPrincipal,
  ): Promise<void> {
    if (!isAtLeast(caller.role, 'Admin')) throw new SignInRejected('forbidden');
    try {
      const granted = await this.codes.redeem(answer, state, open);
      await this.grants.store(open, granted, caller).catch((error: unknown) => {
        this.revocations.revokeLate({ ...open, refreshToken: granted.refreshToken });
        throw error;
      });
    } catch (error) {
      const isUnknownClient = error instanceof SignInRejected && UNKNOWN_CLIENT.has(error.error ?? '');
      if (isUnknownClient) await this.identities.forget(open.metadata.issuer, open.client);
      throw error;
    }
  }
}

const UNKNOWN_CLIENT = new Set(['invalid_client', 'unauthorized_client']);

function pageOf(open: OpenSignIn | null, signIn: SignInOutcome): string {
  const url = new URL(open?.returnTo ?? SERVERS, 'http://service.invalid');
  url.searchParams.set('signIn', signIn);
  return url.pathname + url.search + url.hash;
}

/** A server that offers a sign-in, with the values of the set that a person signs in for. */
interface Target {
  credentialSetId: string;
  entry: RemoteEntry;
  values: Record<string, string>;
}

/** Begins sign-ins of people at the authorization servers of remote servers (contract §3.7). */
@Injectable()
export class OauthSignInService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly credentials: CredentialsService,
    private readonly authorizationServers: AuthorizationServersClient,
    private readonly identities: ClientIdentitiesService,
    private readonly codes: AuthorizationCodeClient,
    private readonly signIns: OauthSignInRepository,
    private readonly secrets: SecretRegister,
  ) {}

  /** @throws {NotFound} {SignInNotOffered} {SignInUnavailable} {MissingVariables} {ValidationFailed} */
  async begin(
    caller: UserPrincipal,
    serverId: string,
    name: string,
    returnTo: string | undefined,
  ): Promise<BegunSignInResponse> {
    const target = await this.targetOf(serverId, name);
    const path = pathOf(returnTo) ?? `/servers/${serverId}`;
    const oauth = oauthOf(target.entry);
    const { url: serverUrl } = remoteOf(target.entry, target.values);
    const issuer = await this.issuerOf(serverUrl, oauth.issuer ?? null);
    this.codes.refuseUnusable(issuer);
    const { credentialSetId } = target;
    const openClients = await this.signIns.openClients(credentialSetId);
    const values = effectiveValues(target);
    const client = await this.identities.clientAt(issuer.metadata, oauth, values, openClients);
    const secrets = await this.codes.secretsFor(issuer, client, oauth.scope ?? null);
    const state = randomBytes(32).toString('base64url');
    const url = await this.codes.authorizationUrl(secrets, state);
    const signIn = { credentialSetId, userId: caller.id, keyId: caller.keyId!, returnTo: path };
    try {
      const expiresAt = await this.signIns.begin(hashOfKey(state), signIn, secrets);
      return { authorizationUrl: url.href, expiresAt };
    } catch (error) {
      // Set, user or session were deleted meanwhile.
      throw isForeignKeyViolation(error) ? new NotFound() : error;
    }
  }

  /** A set that was revoked is as good as any: the sign-in is what ends that. */
  private async targetOf(serverId: string, name: string): Promise<Target> {
    const server = await this.servers.findById(serverId);
    const set = server && (await this.sets.findByName(server.id, name));
    const row = set && (await this.servers.findSealed(server.id, set.id));
    if (!row) throw new NotFound();
    const { entry } = row;
    const why = whyNotOffered(entry);
    if (why !== null || entry.transport === 'stdio') throw new SignInNotOffered(why ?? '');
    const values = this.credentials.open(set.id, row.sealed);
    this.secrets.set(set.id, secretsAmong([entry], values));
    return { credentialSetId: set.id, entry, values };
  }

  private async issuerOf(serverUrl: string, wanted: string | null): Promise<TokenIssuer> {
    try {
      return await this.authorizationServers.find(serverUrl, wanted);
    } catch (error) {
      if (error instanceof SignInFailed) throw new SignInUnavailable(error.why);
      throw error instanceof McpUnavailable ? new SignInUnavailable(error.reason) : error;
    }
  }
}

/** @throws {ValidationFailed} when it is not a path of the service */
function pathOf(returnTo: string | undefined): string | null {
  if (returnTo === undefined) return null;
  const path = ownPath(returnTo);
  if (path === '/' && returnTo !== '/')
    throw new ValidationFailed([{ path: 'returnTo', message: 'must be a path of this service' }]);
  return path;
}

/** An entry without `oauth` says nothing about the sign-in. */
function oauthOf({ manifest: { oauth } }: RemoteEntry): AuthorizationCodeOauth {
  return oauth?.grant === 'authorization_code' ? oauth : { grant: 'authorization_code' };
}

function effectiveValues({ entry, values }: Target): Record<string, string | null> {
  return Object.fromEntries(
    entry.environmentVariables.map((variable) => [variable.name, effectiveValue(variable, values)]),
  );
}
