import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import type { Page, PageRequest } from '../http/page.js';
import type { Role } from './principal.js';

/** How long a session lasts (contract §2.6). */
export type SessionLife = Pick<Settings, 'sessionIdleHours' | 'sessionMaxDays'>;

/** The condition for a valid session. @param s alias of the table `sessions` */
export const isValidSession = (s: string, life: SessionLife): string =>
  `(${s}.last_used_at > now() - ${idleTime(life)} AND ${s}.created_at > now() - ${wholeLife(life)})`;

/** When a session ends if it is not used again. @param s alias of the table `sessions` */
export const endOfSession = (s: string, life: SessionLife): string =>
  `least(${s}.last_used_at + ${idleTime(life)}, ${s}.created_at + ${wholeLife(life)})`;

/** The time without use after which a session ends, as an interval. */
const idleTime = ({ sessionIdleHours }: SessionLife) => `interval '${sessionIdleHours} hours'`;

/** The time after which a session ends whatever its use, as an interval. */
export const wholeLife = ({ sessionMaxDays }: Pick<SessionLife, 'sessionMaxDays'>): string =>
  `interval '${sessionMaxDays} days'`;

/** A valid session and its user. */
export interface SessionAndUser {
  session_id: string;
  last_use_is_stale: boolean;
  user_id: string;
  user_name: string;
  user_email: string;
  user_role: Role;
  signed_in_with: 'password' | 'oidc';
}

/** A session as its user sees it. */
export interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
}

/** A session to insert; `passwordHash` is the one that the login checked. */
export interface NewSession {
  id: string;
  hash: Buffer;
  userId: string;
  passwordHash: string;
  address: string | null;
  userAgent: string | null;
}

/** Rows of one deletion. */
const BATCH = 5_000;

const findByHash = (isValid: string) => `
  SELECT s.id AS session_id, s.last_used_at < now() - interval '1 minute' AS last_use_is_stale,
         u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role,
         CASE WHEN s.oidc_issuer IS NULL THEN 'password' ELSE 'oidc' END AS signed_in_with
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = $1 AND u.disabled_at IS NULL AND ${isValid}`;

/** Stores sessions, one row each. Deleting the row ends the session, and only a login inserts one. */
@Injectable()
export class SessionsRepository {
  private readonly findSql: string;

  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
    private readonly settings: Settings,
  ) {
    this.findSql = findByHash(isValidSession('s', settings));
  }

  /**
   * Reads a session and its user in one statement. It runs for every request, so that no permission is cached (contract
   * §2.3).
   */
  async findByHash(hash: Buffer): Promise<SessionAndUser | null> {
    const [row] = await this.database.prepared<SessionAndUser>('sessions.by_hash', this.findSql, [hash]);
    return row ?? null;
  }

  /**
   * Records that a session was used, at most once per minute. It is an UPDATE, so a request in flight cannot restore an
   * ended session.
   */
  async touch(id: string): Promise<void> {
    await this.database.change(
      `UPDATE sessions SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`,
      [id],
    );
  }

  /**
   * Inserts a session if the user is still as the login read it. The row lock waits for a transaction that disables the
   * user or changes the password, and the condition is then evaluated again. Returns whether a session was inserted.
   */
  async insert(session: NewSession): Promise<boolean> {
    const { id, hash, userId, passwordHash, address, userAgent } = session;
    const made = await this.database.change(
      `WITH same AS (
         SELECT id FROM users WHERE id = $3 AND disabled_at IS NULL AND password_hash = $4 FOR SHARE
       )
       INSERT INTO sessions (id, user_id, hash, address, user_agent)
       SELECT $1::uuid, id, $2::bytea, $5, $6 FROM same`,
      [id, hash, userId, passwordHash, address, userAgent],
    );
    return made === 1;
  }

  async delete(id: string): Promise<boolean> {
    return (await this.database.change('DELETE FROM sessions WHERE id = $1', [id])) === 1;
  }

  async deleteByHash(hash: Buffer): Promise<void> {
    await this.database.change('DELETE FROM sessions WHERE hash = $1', [hash]);
  }

  async deleteAllOf(userId: string): Promise<void> {
    await this.database.change('DELETE FROM sessions WHERE user_id = $1', [userId]);
  }

  /** Lists the valid sessions of a user. */
  listOf(userId: string, page: PageRequest): Promise<Page<SessionRow>> {
    const columns = `s.id, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt",
      ${endOfSession('s', this.settings)} AS "expiresAt", s.address, s.user_agent AS "userAgent"`;
    const where = `s.user_id = $1 AND ${isValidSession('s', this.settings)}`;
    const list = { columns, from: 'sessions s', where, parameters: [userId] };
    return this.pages.readOldestFirst<SessionRow>(list, page, 's');
  }

  /** Ends a valid session. @returns false when the user has no such session */
  async deleteOf(userId: string, id: string): Promise<boolean> {
    const valid = isValidSession('s', this.settings);
    const sql = `DELETE FROM sessions s WHERE s.id = $1 AND s.user_id = $2 AND ${valid}`;
    return (await this.database.change(sql, [id, userId])) === 1;
  }

  /** Removes sessions past their greatest age, found by their index. Idle ones have ended already and go with them. */
  sweep(): Promise<number> {
    const old = `SELECT id FROM sessions WHERE created_at < now() - ${wholeLife(this.settings)} LIMIT ${BATCH}`;
    return this.database.change(`DELETE FROM sessions WHERE id = ANY(ARRAY(${old}))`);
  }
}
