import { setTimeout as pause } from 'node:timers/promises';
import { checkResourceAllowed } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import type { RemoteEntry } from '../catalog/catalog-entry.js';
import { setsAuthorization } from '../catalog/launch-address-and-secret-rules.js';
import type { Remote } from '../catalog/launch-template.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import type { AccessToken, TokenSource } from '../processes/server-description-and-limits.js';
import {
  AccessTokensService,
  OauthTokenRepository,
  type SealedToken,
  type TokenAnswer,
  type TokenOwner,
} from './access-tokens.service.js';
import { ClientIdentitiesService } from './client-identities.service.js';
import { OauthGrantRepository, type OpenedGrant } from './oauth-sign-in-grant-and-client.repository.js';
import {
  asksForSignIn,
  GrantRevocationsService,
  NO_SIGN_IN,
  type SetUser,
  SIGN_IN_ENDED,
  SignInNeededService,
} from './sign-in-needed-offered-and-revoked.service.js';
import { type RefreshedGrant, RefreshRefused, TokenEndpointClient } from './token-endpoint.client.js';

/** What decides where the tokens of a remote server come from. */
export interface TokenUser {
  id: string;
  name: string;
  entry: RemoteEntry;
  remote: Remote;
  values: Readonly<Record<string, string>>;
  credentialSetId: string;
  credentialSetName: string;
  processRevision: string;
  isSignedIn: boolean;
  isTrial: boolean;
}

/** A remote server with a credential set with which a person can sign in. */
interface SignInTarget extends SetUser {
  /** Of its tokens. */
  owner: TokenOwner;
  serverName: string;
  credentialSetName: string;
  serverUrl: string;
  /** Whether the entry says that a person has to sign in; otherwise the server says so. */
  isDemanded: boolean;
  /** Whether a person has. */
  isSignedIn: boolean;
  /** Whether the requests carry headers of the entry, by which the server may know the caller. */
  sendsHeaders: boolean;
  /** Whether the entry is only tried: what it says about the sign-in changes nothing. */
  isTrial: boolean;
}

/** An answer that cannot be stored is lost, and perhaps the sign-in with it. The claim of the request lasts longer. */
const STORE_TRIES = 20;
const BETWEEN_TRIES_MS = 1_000;

/** The call is repeated with a connection that has the new values. */
const OUTDATED = new McpUnavailable(
  'outdated',
  'The credentials of this server have just changed. Try again.',
);

/**
 * Gives the access tokens of remote servers: with their client credentials, or from the sign-in of a person (contract
 * §3.7).
 */
@Injectable()
export class TokenSourcesService {
  constructor(
    private readonly tokens: AccessTokensService,
    private readonly stored: OauthTokenRepository,
    private readonly grants: OauthGrantRepository,
    private readonly client: TokenEndpointClient,
    private readonly clients: ClientIdentitiesService,
    private readonly revocations: GrantRevocationsService,
    private readonly states: SignInNeededService,
    private readonly transactions: TransactionsService,
    private readonly secrets: SecretRegister,
  ) {}

  /** @returns undefined for a server that takes a header Authorization of its entry */
  of(user: TokenUser): TokenSource | undefined {
    const { entry, remote, values } = user;
    const { oauth } = entry.manifest;
    if (oauth?.grant === 'client_credentials') {
      const owner = ownerOf(user);
      const request = { serverUrl: remote.url, oauth, values };
      const issue = async () => ({
        ...(await this.client.request(request)),
        store: (claim: string, token: SealedToken) => this.stored.store(owner, claim, token),
      });
      return { token: (refusedId) => this.tokens.token(owner, issue, refusedId) };
    }
    if (setsAuthorization(entry)) return undefined;
    const target = targetOf(user);
    return {
      token: (refusedId) => this.token(target, refusedId),
      refused: (token, challenge) => this.refused(target, token, challenge),
    };
  }

  private async token(target: SignInTarget, refusedId?: string): Promise<AccessToken | null> {
    if (target.isSignedIn) return this.tokens.token(target.owner, () => this.request(target), refusedId);
    if (!target.isDemanded) return null;
    throw await this.needSignIn(target, null, NO_SIGN_IN);
  }

  private async refused(
    target: SignInTarget,
    token: AccessToken | null,
    challenge: string | null,
  ): Promise<McpUnavailable | null> {
    const { credentialSetId } = target;
    if (token === null)
      return asksForSignIn(challenge, target)
        ? this.needSignIn(target, null, 'The server asks for it, and no one has signed in yet.')
        : null;
    const grant = await this.grants.open(credentialSetId);
    // Read after the grant: the refused token is of this sign-in if it is still the stored one.
    const stored = grant && (await this.stored.findOneBy({ credentialSetId }));
    if (stored?.tokenId !== token.id) return null;
    return this.needSignIn(target, grant, 'The server refused two new access tokens of the sign-in.');
  }

  /** Returns null where the grant was replaced meanwhile: its token is there, or the next request finds it. */
  private async request(target: SignInTarget): Promise<TokenAnswer | null> {
    if (!target.isTrial && !(await this.states.isCurrent(target))) throw OUTDATED;
    const grant = await this.grants.open(target.credentialSetId);
    const refreshToken = grant?.refreshToken ?? null;
    if (!grant) throw await this.needSignIn(target, null, NO_SIGN_IN);
    if (!isFor(target, grant))
      throw await this.needSignIn(target, grant, 'The address of the server has changed since the sign-in.');
    if (refreshToken === null) throw await this.needSignIn(target, grant, SIGN_IN_ENDED);
    this.keepSecret(target, refreshToken);
    try {
      const answer = await this.client.refresh(grant, refreshToken);
      this.keepSecret(target, answer.refreshToken);
      return { ...answer, store: (_claim, token) => this.storeOrRevoke(target, grant, answer, token) };
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error;
      return await this.onRefusal(target, grant, error);
    }
  }

  /** @throws {McpUnavailable} unless another sign-in has replaced the refused one */
  private async onRefusal(target: SignInTarget, grant: OpenedGrant, { code }: RefreshRefused): Promise<null> {
    const { host } = new URL(grant.issuer);
    const reason = `The authorization server ${host} answered ${code}: the sign-in has ended there.`;
    if (!target.isTrial && !(await this.states.needSignIn(target, grant, reason))) return null;
    if (code === 'invalid_client') await this.clients.forget(grant.issuer, grant.client);
    throw signInNeeded(target, reason);
  }

  /** A new refresh token whose sign-in has ended meanwhile would live on at the authorization server, unknown to anyone. */
  private async storeOrRevoke(
    target: SignInTarget,
    grant: OpenedGrant,
    answer: RefreshedGrant,
    token: SealedToken,
  ): Promise<boolean> {
    const isStored = await this.store(target, grant, answer, token);
    if (!isStored && answer.refreshToken !== grant.refreshToken)
      this.revocations.revokeLate({ ...grant, refreshToken: answer.refreshToken });
    return isStored;
  }

  /**
   * Stores the new refresh token and the access token together. It does not matter who has the claim by now: the version of
   * the grant decides, because only one answer to it can be right.
   */
  private async store(
    { owner, credentialSetId }: SignInTarget,
    grant: OpenedGrant,
    { refreshToken }: RefreshedGrant,
    token: SealedToken,
  ): Promise<boolean> {
    for (let left = STORE_TRIES; ; left -= 1) {
      try {
        return await this.transactions.run(async () => {
          const next = { ...grant, refreshToken };
          if (!(await this.grants.replace(credentialSetId, grant.version, next))) return false;
          await this.stored.put(owner, token);
          return true;
        });
      } catch (error) {
        if (left === 1) throw error;
        await pause(BETWEEN_TRIES_MS);
      }
    }
  }

  private async needSignIn(
    target: SignInTarget,
    grant: OpenedGrant | null,
    reason: string,
  ): Promise<McpUnavailable> {
    const isMarked = target.isTrial || (await this.states.needSignIn(target, grant, reason));
    if (isMarked) return signInNeeded(target, reason);
    return OUTDATED;
  }

  private keepSecret({ credentialSetId }: SignInTarget, refreshToken: string): void {
    this.secrets.set(`${credentialSetId} refresh token`, [refreshToken]);
  }
}

function targetOf(user: TokenUser): SignInTarget {
  const { id, entry, remote, name, credentialSetId, credentialSetName } = user;
  const { processRevision, isSignedIn, isTrial } = user;
  return {
    serverId: id,
    credentialSetId,
    processRevision,
    owner: ownerOf(user),
    serverName: name,
    credentialSetName,
    serverUrl: remote.url,
    isDemanded: entry.manifest.oauth?.grant === 'authorization_code',
    isSignedIn,
    isTrial,
    sendsHeaders: Object.keys(remote.headers).length > 0,
  };
}

/** An entry that is tried may have another address, to which no token of another one is sent. */
function ownerOf({ credentialSetId, processRevision, isTrial, remote }: TokenUser): TokenOwner {
  return {
    credentialSetId,
    processRevision: isTrial ? `${processRevision} tried at ${remote.url}` : processRevision,
  };
}

/** Whether the tokens of a grant may be sent to the server: its address may have other values or another entry by now. */
function isFor({ serverUrl }: SignInTarget, { resource }: OpenedGrant): boolean {
  return checkResourceAllowed({ requestedResource: serverUrl, configuredResource: resource });
}

/** The sentence is for agents and for people. */
function signInNeeded({ serverName, credentialSetName }: SignInTarget, reason: string): McpUnavailable {
  return new McpUnavailable(
    'sign_in_needed',
    `Sign in to ${serverName} with the credentials "${credentialSetName}": ${reason} Only an admin can do that. An agent goes on without the server, or asks an admin in a comment.`,
  );
}
