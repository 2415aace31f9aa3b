import { Injectable, Logger } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { setsAuthorization } from '../catalog/launch-address-and-secret-rules.js';
import { variablesOf } from '../catalog/variable-values-and-placeholders.js';
import {
  CredentialSetRepository,
  type CredentialSetRow,
} from '../server-records/credential-set.repository.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { OauthTokenRepository } from './access-tokens.service.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import {
  OauthGrantRepository,
  OauthSignInRepository,
  type OpenedGrant,
  type StoredGrant,
} from './oauth-sign-in-grant-and-client.repository.js';
import { refusalCodeOf } from './sign-in-outcomes-and-errors.js';
import { configurationOf } from './token-endpoint.client.js';

/** Revokes refresh tokens that the service deletes, at the authorization servers that take that (RFC 7009). */
@Injectable()
export class GrantRevocationsService {
  private readonly log = new Logger(GrantRevocationsService.name);

  constructor(
    private readonly grants: OauthGrantRepository,
    private readonly servers: AuthorizationServersClient,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Revokes the grants of these sets once the running transaction, which deletes them, has committed. Nothing waits for
   * that, and a failure is only logged: the service no longer has the token that it would try again with.
   */
  async revokeLater(credentialSetIds: string[]): Promise<void> {
    const revocable: StoredGrant[] = [];
    for (const id of credentialSetIds) {
      const grant = await this.opened(id);
      if (grant?.refreshToken != null && 'revocation_endpoint' in grant.metadata) revocable.push(grant);
    }
    if (revocable.length > 0) this.transactions.afterCommit(() => void this.revokeAll(revocable));
  }

  /** Revokes a refresh token that arrived after its set, its server or its sign-in had ended. Nothing waits for that. */
  revokeLate(grant: StoredGrant): void {
    if (grant.refreshToken !== null && 'revocation_endpoint' in grant.metadata) void this.revokeAll([grant]);
  }

  /** A grant that cannot be opened any more can be deleted all the same. */
  private async opened(credentialSetId: string): Promise<StoredGrant | null> {
    try {
      return await this.grants.open(credentialSetId);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  private async revokeAll(grants: StoredGrant[]): Promise<void> {
    const { tokenRevocation } = await import('openid-client');
    for (const grant of grants) {
      try {
        const config = await configurationOf(grant, this.servers);
        await tokenRevocation(config, grant.refreshToken!, { token_type_hint: 'refresh_token' });
      } catch (error) {
        const { host } = new URL(grant.metadata.issuer);
        const why = refusalCodeOf(error) ?? 'no usable answer';
        this.log.warn(
          `The authorization server ${host} did not revoke a refresh token (${why}): end the access of this service there.`,
        );
      }
    }
  }
}

/** The variables of the client with which a person signs in: a grant of another client is worth nothing. */
export function clientVariablesOf(entry: CatalogEntry): string[] {
  const oauth = entry.transport === 'stdio' ? null : entry.manifest.oauth;
  if (oauth?.grant !== 'authorization_code') return [];
  return [oauth.clientId, oauth.clientSecret].flatMap((template) => variablesOf(template ?? ''));
}

export const NO_SIGN_IN = 'No one has signed in yet.';
export const SIGN_IN_ENDED = 'The sign-in has ended.';

/** A connection that uses a credential set. */
export interface SetUser {
  serverId: string;
  credentialSetId: string;
  /** Of the values and the entry that it works with. */
  processRevision: string;
}

/** Marks credential sets with which a person has to sign in (contract §3.7). */
@Injectable()
export class SignInNeededService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly grants: OauthGrantRepository,
    private readonly revocations: GrantRevocationsService,
    private readonly signIns: OauthSignInRepository,
    private readonly tokens: OauthTokenRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Ends the sign-in of a set and marks the set. Changes nothing and returns false where the set has another sign-in or
   * other values by now: what is known of the former ones says nothing about them.
   * @param grant the grant that does not work any more; null where there was none
   * @param reason a sentence for an Admin
   */
  needSignIn(user: SetUser, grant: OpenedGrant | null, reason: string): Promise<boolean> {
    const { credentialSetId: id } = user;
    return this.transactions.run(async () => {
      // In the order of a sign-in: the grant, then the set. A first sign-in holds the set until its grant can be seen.
      const locked = await this.grants.versionOf(id, true);
      const set = await this.sets.lock(id);
      const version = locked ?? (await this.grants.versionOf(id));
      if (!set || version !== (grant?.version ?? null) || !(await this.isCurrent(user))) return false;
      if (grant) await this.grants.replace(id, grant.version, { ...grant, refreshToken: null });
      await this.tokens.delete({ credentialSetId: id });
      await this.mark(set, reason);
      return true;
    });
  }

  /** Whether the set has the values with which this connection works, and its server the same entry. */
  async isCurrent({ serverId, credentialSetId, processRevision }: SetUser): Promise<boolean> {
    return (await this.servers.processRevision(serverId, credentialSetId)) === processRevision;
  }

  /** Deletes the sign-in of a set with its tokens, and gives up the sign-ins that have begun. */
  async end(credentialSetId: string): Promise<void> {
    await this.revocations.revokeLater([credentialSetId]);
    await this.grants.delete({ credentialSetId });
    await this.tokens.delete({ credentialSetId });
    // Also those whose code is being exchanged.
    await this.signIns.delete({ credentialSetId });
  }

  /**
   * Marks a set that is new, or has new values, where its entry demands a sign-in and there is none that works.
   * @param before its status before that; a new set is ready
   */
  async demand(
    { id, status: before }: Pick<CredentialSetRow, 'id' | 'status'>,
    entry: CatalogEntry,
    changed: string[] = [],
  ): Promise<void> {
    const client = clientVariablesOf(entry);
    if (changed.some((variable) => client.includes(variable))) await this.end(id);
    if (!demandsSignIn(entry)) return;
    const isStored = (await this.grants.versionOf(id)) !== null;
    if (isStored && before !== 'sign_in_needed') return;
    const set = await this.sets.lock(id);
    if (set) await this.mark(set, isStored ? SIGN_IN_ENDED : NO_SIGN_IN);
  }

  /** Forgets the sign-ins of a server whose entry admits none any more. */
  async forget(serverId: string): Promise<void> {
    for (const set of await this.sets.list(serverId)) {
      await this.end(set.id);
      if (set.status === 'sign_in_needed') await this.sets.revise(set.id);
    }
  }

  /** A set with another status than ready keeps it: it is revoked, or marked already. */
  private async mark({ id, serverId, name }: CredentialSetRow, reason: string): Promise<void> {
    if (!(await this.sets.mark(id, 'sign_in_needed', reason))) return;
    await this.journal.record({
      type: 'mcp.credentials.sign_in_needed',
      subject: { type: 'server', id: serverId },
      data: { credentialSet: name, reason },
      actor: SYSTEM,
    });
  }
}

/**
 * Whether a server asks for a sign-in by the challenge of its 401 (RFC 6750). A server that knows its callers by headers of
 * the entry may mean that their values are wrong, unless it says where it describes the sign-in (RFC 9728).
 */
export function asksForSignIn(
  challenge: string | null,
  { sendsHeaders }: { sendsHeaders: boolean },
): boolean {
  if (challenge === null || !/(^|,)\s*bearer(\s|,|$)/i.test(challenge)) return false;
  return !sendsHeaders || /\bresource_metadata\s*=/i.test(challenge);
}

/** Whether the entry says that a person has to sign in. Other servers may say so themselves, by their 401. */
export function demandsSignIn(entry: CatalogEntry): boolean {
  return entry.transport !== 'stdio' && entry.manifest.oauth?.grant === 'authorization_code';
}

/** Whether a person can sign in to a server of this entry at all. */
export function acceptsSignIn(entry: CatalogEntry): boolean {
  return whyNotOffered(entry) === null;
}

/** Returns why no person can sign in to a server of this entry, or null where one can (contract §3.7). */
export function whyNotOffered(entry: CatalogEntry): string | null {
  if (entry.transport === 'stdio') return 'A server that runs on this host has no sign-in.';
  if (entry.manifest.oauth?.grant === 'client_credentials')
    return 'The service signs in to this server by itself, with the credentials of the set.';
  if (setsAuthorization(entry))
    return 'The entry of this server sends a header Authorization: enter its values instead.';
  return null;
}

/** 409: no person can sign in to this server. */
export class SignInNotOffered extends Problem {
  constructor(why: string) {
    super('sign_in_not_offered', why);
  }
}
