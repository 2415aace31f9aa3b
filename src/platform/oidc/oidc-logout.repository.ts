import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import type { Person } from './oidc-provider.client.js';

/** A session that a sign-in at the provider begins. */
export interface NewOidcSession {
  id: string;
  hash: Buffer;
  userId: string;
  address: string | null;
  userAgent: string | null;
}

/** A session that has ended. */
export interface EndedSession {
  id: string;
  userId: string;
}

/** A logout token that the provider has sent and that was accepted. */
export interface Logout {
  issuer: string;
  tokenId: string;
  subject: string | null;
  sid: string | null;
  issuedAt: number;
}

/** Logout tokens are kept for longer than one is accepted, so that each is accepted once. */
const LOGOUT_LIFE = `interval '1 hour'`;
const BATCH = 5_000;
/**
 * The rows of users do not do for this lock: a logout that names only a session at the provider does not say whose it
 * will be.
 */
const SESSIONS_LOCK = 727_012;

/** The sessions of people who signed in at the provider, in the table of all sessions. */
@Injectable()
export class OidcSessionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Takes the lock of sign-ins or of logouts until the transaction ends: each logout comes before or after a sign-in. */
  async lock(who: 'sign-in' | 'logout'): Promise<void> {
    const sql = who === 'logout' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    await this.database.rows(`SELECT ${sql}($1)`, [SESSIONS_LOCK]);
  }

  /** Inserts a session unless the provider has ended it meanwhile. The caller holds the lock of sign-ins. */
  async insert(session: NewOidcSession, person: Person): Promise<boolean> {
    const { id, hash, userId, address, userAgent } = session;
    const made = await this.database.change(
      `INSERT INTO sessions (id, user_id, hash, address, user_agent, oidc_issuer, oidc_sid)
       SELECT $1::uuid, $2::uuid, $3::bytea, $4, $5, $6::text, $7::text
       WHERE NOT EXISTS (SELECT 1 FROM oidc_logouts l WHERE l.issuer = $6
         AND (l.sid = $7 OR (l.sid IS NULL AND l.subject = $8 AND l.issued_at > to_timestamp($9))))`,
      [id, userId, hash, address, userAgent, person.issuer, person.sid, person.subject, person.issuedAt],
    );
    return made === 1;
  }

  /** Notes that the user of this session has just entered credentials at the provider again. */
  async confirm(id: string, userId: string): Promise<boolean> {
    const sql = 'UPDATE sessions SET confirmed_at = now() WHERE id = $1 AND user_id = $2';
    return (await this.database.change(sql, [id, userId])) === 1;
  }

  /** @returns false when this token was accepted before */
  async insertLogout({ issuer, tokenId, subject, sid, issuedAt }: Logout): Promise<boolean> {
    const made = await this.database.change(
      `INSERT INTO oidc_logouts (issuer, token_id, subject, sid, issued_at)
       VALUES ($1, $2, $3, $4, to_timestamp($5)) ON CONFLICT DO NOTHING`,
      [issuer, tokenId, subject, sid, issuedAt],
    );
    return made === 1;
  }

  /** Returns the users whom a logout concerns. */
  async usersOf({ issuer, subject, sid }: Logout): Promise<string[]> {
    const users = await this.database.rows<{ id: string }>(
      `SELECT u.id FROM users u
       WHERE u.id IN (SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2)
          OR u.id IN (SELECT user_id FROM sessions WHERE oidc_issuer = $1 AND oidc_sid = $3)`,
      [issuer, subject, sid],
    );
    return users.map(({ id }) => id);
  }

  /** Ends the session that a logout names, or all sessions of these users at the provider where it names none. */
  end({ issuer, sid }: Logout, userIds: string[]): Promise<EndedSession[]> {
    return this.database.rows<EndedSession>(
      `DELETE FROM sessions WHERE user_id = ANY($1::uuid[]) AND oidc_issuer = $2 AND ($3::text IS NULL OR oidc_sid = $3)
       RETURNING id, user_id AS "userId"`,
      [userIds, issuer, sid],
    );
  }

  sweepLogouts(): Promise<number> {
    const old = `SELECT ctid FROM oidc_logouts WHERE created_at <= now() - ${LOGOUT_LIFE} LIMIT ${BATCH}`;
    return this.database.change(`DELETE FROM oidc_logouts WHERE ctid = ANY(ARRAY(${old}))`);
  }
}
