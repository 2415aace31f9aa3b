import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { DatabaseService } from '../../database/database.service.js';
import { wholeLife } from '../sessions/session-life.js';

/** An elevated key to insert; `passwordHash` is the one that the caller's password was checked against. */
export interface NewElevatedKey {
  id: string;
  userId: string;
  sessionId: string;
  name: string;
  prefix: string;
  hash: Buffer;
  passwordHash: string;
}

/** Stores elevated keys: rows of `api_keys` that belong to a session and are deleted with it. */
@Injectable()
export class ElevatedKeysRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly settings: Settings,
  ) {}

  /**
   * Inserts a key if the session still exists and the user is still as the check of the password read it. The user's row
   * is locked before the session's, in the order of a change of the user, which ends the sessions. The key does not
   * outlive its session.
   * @param seconds how long the key lives at most
   * @returns when the key ends, or null when it was not inserted
   */
  async insert(key: NewElevatedKey, seconds: number): Promise<Date | null> {
    const row = await this.database.row<{ expiresAt: Date }>(
      `WITH same AS (
         SELECT id FROM users WHERE id = $2 AND disabled_at IS NULL AND password_hash = $7 FOR SHARE
       ), held AS (
         SELECT id, user_id, created_at FROM sessions
         WHERE id = $3 AND user_id IN (SELECT id FROM same) FOR KEY SHARE
       )
       INSERT INTO api_keys (id, user_id, session_id, name, prefix, hash, expires_at)
       SELECT $1::uuid, held.user_id, held.id, $4, $5, $6::bytea,
              least(now() + make_interval(secs => $8), held.created_at + ${wholeLife(this.settings)})
       FROM held
       RETURNING expires_at AS "expiresAt"`,
      [key.id, key.userId, key.sessionId, key.name, key.prefix, key.hash, key.passwordHash, seconds],
    );
    return row?.expiresAt ?? null;
  }

  /**
   * Inserts a key if the person has confirmed the session at the OpenID provider within the last minutes. A confirmation
   * makes one key. Otherwise like `insert`.
   */
  async insertConfirmed(key: Omit<NewElevatedKey, 'passwordHash'>, seconds: number): Promise<Date | null> {
    const row = await this.database.row<{ expiresAt: Date }>(
      `WITH same AS (
         SELECT id FROM users WHERE id = $2 AND disabled_at IS NULL FOR SHARE
       ), held AS (
         UPDATE sessions SET confirmed_at = NULL
         WHERE id = $3 AND user_id IN (SELECT id FROM same) AND confirmed_at > now() - interval '5 minutes'
         RETURNING id, user_id, created_at
       )
       INSERT INTO api_keys (id, user_id, session_id, name, prefix, hash, expires_at)
       SELECT $1::uuid, held.user_id, held.id, $4, $5, $6::bytea,
              least(now() + make_interval(secs => $7), held.created_at + ${wholeLife(this.settings)})
       FROM held
       RETURNING expires_at AS "expiresAt"`,
      [key.id, key.userId, key.sessionId, key.name, key.prefix, key.hash, seconds],
    );
    return row?.expiresAt ?? null;
  }

  /** Deletes the elevated keys of a session, which stop working at once, and returns their ids. */
  async deleteOf(sessionId: string): Promise<string[]> {
    const sql = 'DELETE FROM api_keys WHERE session_id = $1 RETURNING id';
    return (await this.database.rows<{ id: string }>(sql, [sessionId])).map(({ id }) => id);
  }

  /** Removes elevated keys that have ended. */
  sweep(): Promise<number> {
    return this.database.change(
      'DELETE FROM api_keys WHERE session_id IS NOT NULL AND expires_at <= now()',
      [],
    );
  }
}
