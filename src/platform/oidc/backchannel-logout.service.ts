import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import type { JWTPayload } from 'jose';
import { DataSource, In, Repository } from 'typeorm';
import { Session } from '../authentication/authentication.entities.js';
import type { NewSession } from '../authentication/session.repository.js';
import { Settings } from '../config/settings.js';
import { TransactionsService } from '../database/transactions.service.js';
import { Problem } from '../http/problem.js';
import { JournalService } from '../journal/journal.service.js';
import { OidcDiscoveryClient } from './oidc-discovery.client.js';
import { type Person, verifiedClaims } from './oidc-provider.client.js';
import { OidcLogout } from './oidc.entities.js';
import { refusalOf } from './sign-in-refusal-reasons.js';

/** A logout token that the provider has sent; `issuedAt` is in seconds since 1970. */
type Logout = Pick<OidcLogout, 'issuer' | 'tokenId' | 'subject' | 'sid'> & { issuedAt: number };

/** Logout tokens are kept for longer than one is accepted, so that each is accepted once. */
const LOGOUT_LIFE = `interval '1 hour'`;
const BATCH = 5_000;
/**
 * The rows of users do not do for this lock: a logout that names only a session at the provider does not say whose it
 * will be.
 */
const SESSIONS_LOCK = 727_012;

/** The logouts at the provider, and the sessions of people who signed in there, in the table of all sessions. */
@Injectable()
export class OidcLogoutRepository extends Repository<OidcLogout> {
  constructor(@InjectDataSource() source: DataSource) {
    super(OidcLogout, source.manager);
  }

  /**
   * SQL: an advisory lock. Takes the lock of sign-ins or of logouts until the transaction ends: each logout comes before or
   * after a sign-in.
   */
  async lock(who: 'sign-in' | 'logout'): Promise<void> {
    const sql = who === 'logout' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    await this.query(`SELECT ${sql}($1)`, [SESSIONS_LOCK]);
  }

  /**
   * SQL: an insert from a condition. Inserts a session unless the provider has ended it meanwhile. The caller holds the lock
   * of sign-ins.
   */
  async addSession(session: NewSession, person: Person): Promise<boolean> {
    const { id, hash, userId, address, userAgent } = session;
    const made = await this.query<unknown[]>(
      `INSERT INTO sessions (id, user_id, hash, address, user_agent, oidc_issuer, oidc_sid)
       SELECT $1::uuid, $2::uuid, $3::bytea, $4, $5, $6::text, $7::text
       WHERE NOT EXISTS (SELECT 1 FROM oidc_logouts l WHERE l.issuer = $6
         AND (l.sid = $7 OR (l.sid IS NULL AND l.subject = $8 AND l.issued_at >= to_timestamp($9))))
       RETURNING id`,
      [id, userId, hash, address, userAgent, person.issuer, person.sid, person.subject, person.issuedAt],
    );
    return made.length === 1;
  }

  /** @returns false when this token was accepted before */
  async add({ issuedAt, ...token }: Logout): Promise<boolean> {
    const added = this.createQueryBuilder()
      .insert()
      .values({ ...token, issuedAt: () => 'to_timestamp(:issuedAt)' })
      .setParameter('issuedAt', issuedAt)
      .orIgnore()
      .returning('token_id')
      .updateEntity(false);
    const { raw } = await added.execute();
    return (raw as unknown[]).length === 1;
  }

  /** SQL: two tables in one read. Returns the users whom a logout concerns. */
  async usersOf({ issuer, subject, sid }: Logout): Promise<string[]> {
    const users = await this.query<{ id: string }[]>(
      `SELECT u.id FROM users u
       WHERE u.id IN (SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2)
          OR u.id IN (SELECT user_id FROM sessions WHERE oidc_issuer = $1 AND oidc_sid = $3)`,
      [issuer, subject, sid],
    );
    return users.map(({ id }) => id);
  }

  /** SQL: a bounded deletion. */
  async sweep(): Promise<number> {
    const old = `SELECT ctid FROM oidc_logouts WHERE created_at <= now() - ${LOGOUT_LIFE} LIMIT ${BATCH}`;
    const [, removed] = await this.query<[unknown, number]>(
      `DELETE FROM oidc_logouts WHERE ctid = ANY(ARRAY(${old}))`,
    );
    return removed;
  }
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MOST_CHARACTERS = 255;

/**
 * The oldest `iat` that is accepted, in seconds. A provider sends the token at once. Its id is remembered for longer than
 * this, so that none is accepted twice.
 */
export const LOGOUT_TOKEN_MAX_AGE_SECONDS = 300;

/** What a logout token says, once its signature, issuer, audience and times are right. */
export interface LogoutClaims {
  tokenId: string;
  subject: string | null;
  sid: string | null;
  issuedAt: number;
}

/**
 * Checks the rules that logout tokens have beside those of all tokens (OpenID Connect Back-Channel Logout 1.0): the event,
 * an id, a subject or a session, and no nonce, with which it would be an ID token.
 * @returns null when one is broken
 */
export function logoutClaimsIn(claims: JWTPayload): LogoutClaims | null {
  const { events, jti, iat, sub, sid } = claims;
  if (!isObject(events) || !Object.hasOwn(events, EVENT) || !isObject(events[EVENT])) return null;
  if ('nonce' in claims) return null;
  const [subject, session] = [textOrNull(sub), textOrNull(sid)];
  if (subject === undefined || session === undefined || (subject === null && session === null)) return null;
  const tokenId = textOrNull(jti);
  if (!tokenId || typeof iat !== 'number') return null;
  return { tokenId, subject, sid: session, issuedAt: iat };
}

/** Returns null for an absent claim, and undefined for one of another form. */
function textOrNull(value: unknown): string | null | undefined {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > MOST_CHARACTERS) return undefined;
  return value.includes('\0') ? undefined : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ends sessions when the provider says that a person has signed out there (contract §2.9). */
@Injectable()
export class BackchannelLogoutService {
  private readonly log = new Logger(BackchannelLogoutService.name);

  constructor(
    private readonly settings: Settings,
    private readonly discovery: OidcDiscoveryClient,
    @InjectRepository(OidcLogout) private readonly logouts: OidcLogoutRepository,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @throws {InvalidLogoutToken} when the token is not a valid one of the provider for this service, or was used */
  async logout(token: string): Promise<void> {
    const logout = await this.logoutOf(token);
    await this.transactions.run(async () => {
      // A sign-in on its way then either has its session already, or sees this logout.
      await this.logouts.lock('logout');
      const users = await this.logouts.usersOf(logout);
      if (!(await this.logouts.add(logout))) throw new InvalidLogoutToken();
      for (const { id, userId } of await this.end(logout, users))
        await this.journal.record({
          type: 'login.ended',
          subject: { type: 'user', id: userId },
          data: { sessionId: id, by: 'oidc' },
        });
    });
  }

  /** Ends the session that a logout names, or all sessions of these users at the provider where it names none. */
  private async end({ issuer, sid }: Logout, users: string[]): Promise<Pick<Session, 'id' | 'userId'>[]> {
    const named = sid === null ? {} : { oidcSid: sid };
    const ended = this.sessions.createQueryBuilder().delete();
    ended.where({ userId: In(users), oidcIssuer: issuer, ...named });
    const { raw } = await ended.returning('id, user_id AS "userId"').execute();
    return raw as Pick<Session, 'id' | 'userId'>[];
  }

  private async logoutOf(token: string): Promise<Logout> {
    const { oidc } = this.settings;
    if (oidc === null) throw new InvalidLogoutToken();
    try {
      const provider = await this.discovery.provider();
      const rules = { audience: oidc.clientId, maxAge: LOGOUT_TOKEN_MAX_AGE_SECONDS, trusted: false };
      const claims = logoutClaimsIn(await verifiedClaims(token, provider, rules));
      if (claims !== null) return { ...claims, issuer: provider.issuer };
    } catch (error) {
      const { reason, about } = refusalOf(error);
      this.log.warn({ msg: `A logout token was refused (${reason}).`, error: about['error'] });
      if (reason === 'unavailable')
        throw new Problem(
          'unavailable',
          'The OpenID provider gives no answer. Send the logout token again later.',
          {
            headers: { 'Retry-After': '10' },
          },
        );
    }
    throw new InvalidLogoutToken();
  }
}

/** 400, without a word about what is wrong: the sender may be anybody. */
class InvalidLogoutToken extends Problem {
  constructor() {
    super(
      'invalid_logout_token',
      'This is not a valid logout token of the OpenID provider, or it was used before.',
    );
  }
}
