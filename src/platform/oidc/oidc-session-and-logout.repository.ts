import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { NewSession } from '../authentication/session.repository.js';
import type { Person } from './oidc-provider.client.js';
import { OidcLogout } from './oidc.entities.js';

/** A logout token that the provider has sent; `issuedAt` is in seconds since 1970. */
export type Logout = Pick<OidcLogout, 'issuer' | 'tokenId' | 'subject' | 'sid'> & { issuedAt: number };

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
