import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../database/database.service.js';
import type { Role } from '../roles.js';
import { IS_VALID_SESSION } from './valid-session.js';

/** A valid session and its user. */
export interface SessionAndUser {
  session_id: string;
  last_use_is_stale: boolean;
  user_id: string;
  user_name: string;
  user_email: string;
  user_role: Role;
}

const FIND_BY_HASH = `
  SELECT s.id AS session_id, s.last_used_at < now() - interval '1 minute' AS last_use_is_stale,
         u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = $1 AND u.disabled_at IS NULL AND ${IS_VALID_SESSION}`;

/** Stores sessions, one row each. Deleting the row ends the session, and only a login inserts one. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Reads a session and its user in one statement. It runs for every request, so that no permission is cached (contract
   * §2.3).
   */
  async findByHash(hash: Buffer): Promise<SessionAndUser | null> {
    const [row] = await this.database.prepared<SessionAndUser>('sessions.by_hash', FIND_BY_HASH, [hash]);
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
  async insert(id: string, hash: Buffer, userId: string, passwordHash: string): Promise<boolean> {
    const made = await this.database.change(
      `WITH same AS (
         SELECT id FROM users WHERE id = $3 AND disabled_at IS NULL AND password_hash = $4 FOR SHARE
       )
       INSERT INTO sessions (id, user_id, hash) SELECT $1::uuid, id, $2::bytea FROM same`,
      [id, hash, userId, passwordHash],
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

  /** Removes expired sessions. */
  async sweep(): Promise<number> {
    return this.database.change(`DELETE FROM sessions s WHERE NOT (${IS_VALID_SESSION})`);
  }
}
