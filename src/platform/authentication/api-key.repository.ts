import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import type { Page, PageRequest } from '../http/page.js';
import type { Role } from './principal.js';
import { wholeLife } from './session.repository.js';

/** Rows of one statement. */
const BATCH = 500;

/** A key that ends soon. */
export interface ExpiringKey {
  id: string;
  userId: string | null;
  agentId: string | null;
  name: string;
  prefix: string;
  expiresAt: Date;
}

@Injectable()
export class KeyExpiryRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Marks keys that end within so many days and returns them, each one once. A key that was made for a shorter time is not
   * among them.
   */
  takeExpiring(days: number): Promise<ExpiringKey[]> {
    return this.database.rows<ExpiringKey>(
      `UPDATE api_keys SET expiry_warned_at = now()
       WHERE id = ANY(ARRAY(
         SELECT id FROM api_keys
         WHERE expiry_warned_at IS NULL AND session_id IS NULL
           AND expires_at > now() AND expires_at < now() + make_interval(days => $1::int)
           AND expires_at - created_at > make_interval(days => $1::int)
         ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
       RETURNING id, user_id AS "userId", agent_id AS "agentId", name, prefix, expires_at AS "expiresAt"`,
      [days],
    );
  }
}

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

/** Returns the columns of `KeyAndOwner`, selected from `keysAndOwners(key)`. @param key alias of the table `api_keys` */
export const keyAndOwnerColumns = (key: string): string => `
  ${key}.hash, ${key}.id AS key_id, ${key}.role AS role_cap, ${key}.expires_at, coalesce(${key}.expires_at <= now(), false) AS expired,
         ${key}.session_id IS NOT NULL AS elevated,
         (${key}.last_used_at IS NULL OR ${key}.last_used_at < now() - interval '1 minute') AS last_use_is_stale,
         u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role,
         u.disabled_at IS NOT NULL AS user_disabled,
         a.id AS agent_id, a.name AS agent_name, a.disabled AS agent_disabled,
         a.tools_require_lease AS agent_tools_require_lease`;

/** Joins every key with the user `u` or the agent `a` that it belongs to. @param key alias of the table `api_keys` */
export const keysAndOwners = (key: string): string => `
  api_keys ${key}
  LEFT JOIN users u ON u.id = ${key}.user_id
  LEFT JOIN agents a ON a.id = ${key}.agent_id`;

/**
 * The array stands in a subquery, where the planner cannot see its length. Otherwise a plan for that length looks cheaper
 * than the generic plan, and every request pays for planning, which costs four times as much as the read.
 */
const FIND_BY_HASH = `
  SELECT ${keyAndOwnerColumns('k')} FROM ${keysAndOwners('k')} WHERE k.hash = ANY((SELECT $1::bytea[])::bytea[])`;

/** The owner of a key: a user or an agent. */
export type KeyOwner = { userId: string } | { agentId: string };

/** A key of a user or an agent. Only the hash of its secret is stored (contract §2.5). */
export interface ApiKeyRow {
  id: string;
  userId: string | null;
  agentId: string | null;
  name: string;
  prefix: string;
  role: Role | null;
  /** The key of the same user that this one was made with. */
  parentKeyId: string | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** A key and its owner, as found by the hash of the key that the caller sent. */
export interface KeyAndOwner {
  hash: Buffer;
  key_id: string;
  role_cap: Role | null;
  expires_at: Date | null;
  expired: boolean;
  elevated: boolean;
  last_use_is_stale: boolean;
  user_id: string | null;
  user_name: string;
  user_email: string;
  user_role: Role;
  user_disabled: boolean;
  agent_id: string | null;
  agent_name: string;
  agent_disabled: boolean;
  agent_tools_require_lease: boolean;
}

const COLUMNS = `
  id, user_id AS "userId", agent_id AS "agentId", name, prefix, role, parent_key_id AS "parentKeyId", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", created_at AS "createdAt"`;

@Injectable()
export class ApiKeysRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  /**
   * Reads keys and owners in one statement. It runs for every request, so that no permission is cached (contract §2.3).
   */
  findByHashes(hashes: Buffer[]): Promise<KeyAndOwner[]> {
    return this.database.prepared<KeyAndOwner>('api_keys.by_hash', FIND_BY_HASH, [hashes]);
  }

  /** Records that a key was used. It writes at most once per minute and key, in all processes together. */
  async touch(keyId: string): Promise<void> {
    await this.database.change(
      `UPDATE api_keys SET last_used_at = now()
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      [keyId],
    );
  }

  /** Lists the keys of an owner. Elevated keys belong to a session and are not among them (contract §2.6). */
  listOf(owner: KeyOwner, page: PageRequest): Promise<Page<ApiKeyRow>> {
    const [column, ownerId] = ownerColumn(owner);
    return this.pages.readOldestFirst<ApiKeyRow>(
      {
        columns: COLUMNS,
        from: 'api_keys',
        where: `${column} = $1 AND session_id IS NULL`,
        parameters: [ownerId],
      },
      page,
    );
  }

  async insert(key: Omit<ApiKeyRow, 'createdAt' | 'lastUsedAt'> & { hash: Buffer }): Promise<ApiKeyRow> {
    const { id, userId, agentId, name, prefix, hash, role, parentKeyId, expiresAt } = key;
    const row = await this.database.row<ApiKeyRow>(
      `INSERT INTO api_keys (id, user_id, agent_id, name, prefix, hash, role, parent_key_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
      [id, userId, agentId, name, prefix, hash, role, parentKeyId, expiresAt],
    );
    return row!;
  }

  /** Whether `keyId` is `root` or was made with it, directly or by way of further keys. */
  async descends(keyId: string, root: string): Promise<boolean> {
    const found = await this.database.row(
      `WITH RECURSIVE made(id) AS (
         SELECT $2::uuid
         UNION
         SELECT k.id FROM api_keys k JOIN made ON k.parent_key_id = made.id)
       SELECT 1 FROM made WHERE id = $1`,
      [keyId, root],
    );
    return found !== null;
  }

  /** Deletes a key with all that were made with it. @returns the ids of all; none when the owner has no such key */
  async delete(owner: KeyOwner, keyId: string): Promise<string[]> {
    const [column, ownerId] = ownerColumn(owner);
    const rows = await this.database.rows<{ id: string }>(
      `WITH RECURSIVE made(id) AS (
         SELECT id FROM api_keys WHERE id = $1 AND ${column} = $2
         UNION
         SELECT k.id FROM api_keys k JOIN made ON k.parent_key_id = made.id)
       DELETE FROM api_keys WHERE id IN (SELECT id FROM made) RETURNING id`,
      [keyId, ownerId],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes all keys of an owner, which stop working at once. */
  async deleteAllOf(owner: KeyOwner): Promise<void> {
    const [column, ownerId] = ownerColumn(owner);
    await this.database.change(`DELETE FROM api_keys WHERE ${column} = $1`, [ownerId]);
  }
}

function ownerColumn(owner: KeyOwner): ['user_id' | 'agent_id', string] {
  return 'userId' in owner ? ['user_id', owner.userId] : ['agent_id', owner.agentId];
}
