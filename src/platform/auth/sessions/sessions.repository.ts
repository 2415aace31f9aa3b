import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Role } from '../roles.js';

/** A session that holds, and whose it is. */
export interface SessionAndUser {
  session_id: string;
  last_use_is_stale: boolean;
  user_id: string;
  user_name: string;
  user_email: string;
  user_role: Role;
}

/** 12 hours without use, 7 days in all (spec §2), for sessions as `s`. */
const HOLDS = `s.last_used_at > now() - interval '12 hours' AND s.created_at > now() - interval '7 days'`;

/** A session is a row: to end it is to delete it, and nothing but a login makes one. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** One statement for session and user: it runs with every request, so nothing about permission is remembered. */
  async findByHash(hash: Buffer): Promise<SessionAndUser | null> {
    const [row] = await this.database.prepared<SessionAndUser>('sessions.by_hash', FIND_BY_HASH, [hash]);
    return row ?? null;
  }

  /** Told at most once a minute; an UPDATE, so a request in flight can't bring an ended session back to life. */
  async touch(id: string): Promise<void> {
    await this.database.change(
      `UPDATE sessions SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`,
      [id],
    );
  }

  /**
   * Makes a session while the user is what the login saw. The row lock waits for whoever disables the user or
   * changes the password at that moment, and the condition is then looked at anew.
   * @returns whether it was made
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

  /** Removes rows of sessions that ran out. */
  async sweep(): Promise<number> {
    return this.database.change(`DELETE FROM sessions s WHERE NOT (${HOLDS})`);
  }
}

const FIND_BY_HASH = `
  SELECT s.id AS session_id, s.last_used_at < now() - interval '1 minute' AS last_use_is_stale,
         u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = $1 AND u.disabled_at IS NULL AND ${HOLDS}`;
