import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Raw, Repository } from 'typeorm';
import { Settings } from '../config/settings.js';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import { prepared, unseen } from '../database/service.client.js';
import type { Page, PageRequest } from '../http/page-and-cursor.query.js';
import { ApiKey } from './authentication.entities.js';
import type { Role } from './principals-and-roles.js';
import { wholeLife } from './session.repository.js';

/** Rows of one statement. */
const BATCH = 500;

/** A key that ends soon. */
export type ExpiringKey = Pick<ApiKey, 'id' | 'userId' | 'agentId' | 'name' | 'prefix'> & { expiresAt: Date };

/** An elevated key to insert. */
export type NewElevatedKey = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'hash'> & {
  userId: string;
  sessionId: string;
};

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

const FIND_BY_HASH = prepared(
  'api_keys.by_hash',
  `SELECT ${keyAndOwnerColumns('k')} FROM ${keysAndOwners('k')} WHERE k.hash = ANY(${unseen('$1::bytea[]')}::bytea[])`,
);

/** The owner of a key: a user or an agent. */
export type KeyOwner = { userId: string } | { agentId: string };

/** A key of a user or an agent, as they see it. Only the hash of its secret is stored (contract §2.5). */
export type ApiKeyRow = Omit<ApiKey, 'hash' | 'sessionId' | 'expiryWarnedAt'>;

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

/** Beside what TypeORM gives, the statements about keys that stay SQL (decision 0053). */
@Injectable()
export class ApiKeyRepository extends Repository<ApiKey> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
    private readonly settings: Settings,
  ) {
    super(ApiKey, source.manager);
  }

  /**
   * SQL: every request runs it, so that no permission is cached (contract §2.3). Reads keys and owners in one statement.
   */
  findByHashes(hashes: Buffer[]): Promise<KeyAndOwner[]> {
    return this.query(FIND_BY_HASH, [hashes]);
  }

  /** Records that a key was used. It writes at most once per minute and key, in all processes together. */
  async touch(id: string): Promise<void> {
    const isStale = Raw((column) => `(${column} IS NULL OR ${column} < now() - interval '1 minute')`);
    await this.update({ id, lastUsedAt: isStale }, { lastUsedAt: () => 'now()' });
  }

  /** SQL: a keyset page. Elevated keys belong to a session and are not among the keys of an owner (contract §2.6). */
  listOf(owner: KeyOwner, page: PageRequest): Promise<Page<ApiKeyRow>> {
    const [column, ownerId] = ownerColumn(owner);
    const where = `${column} = $1 AND session_id IS NULL`;
    const list = { columns: COLUMNS, from: 'api_keys', where, parameters: [ownerId] };
    return this.pages.readOldestFirst<ApiKeyRow>(list, page);
  }

  async add(key: Omit<ApiKeyRow, 'createdAt' | 'lastUsedAt'> & { hash: Buffer }): Promise<ApiKeyRow> {
    const { raw } = await this.createQueryBuilder()
      .insert()
      .values({ ...key })
      .returning(COLUMNS)
      .updateEntity(false)
      .execute();
    return (raw as ApiKeyRow[])[0]!;
  }

  /** SQL: a recursive read. Whether `keyId` is `root` or was made with it, directly or by way of further keys. */
  async descends(keyId: string, root: string): Promise<boolean> {
    const found = await this.query<unknown[]>(
      `WITH RECURSIVE made(id) AS (
         SELECT $2::uuid
         UNION
         SELECT k.id FROM api_keys k JOIN made ON k.parent_key_id = made.id)
       SELECT 1 FROM made WHERE id = $1`,
      [keyId, root],
    );
    return found.length > 0;
  }

  /**
   * SQL: a recursive read. Deletes a key with all that were made with it.
   * @returns the ids of all; none when the owner has no such key
   */
  async deleteTree(owner: KeyOwner, keyId: string): Promise<string[]> {
    const [column, ownerId] = ownerColumn(owner);
    const [rows] = await this.query<[{ id: string }[]]>(
      `WITH RECURSIVE made(id) AS (
         SELECT id FROM api_keys WHERE id = $1 AND ${column} = $2
         UNION
         SELECT k.id FROM api_keys k JOIN made ON k.parent_key_id = made.id)
       DELETE FROM api_keys WHERE id IN (SELECT id FROM made) RETURNING id`,
      [keyId, ownerId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * SQL: SKIP LOCKED. Marks keys that end within so many days and returns them, each one once. A key that was made for a
   * shorter time is not among them.
   */
  async takeExpiring(days: number): Promise<ExpiringKey[]> {
    const [taken] = await this.query<[ExpiringKey[]]>(
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
    return taken;
  }

  /**
   * SQL: an insert from locked rows. Inserts an elevated key if the session still exists and the user is still as the check
   * of the password read it. The user's row is locked before the session's, in the order of a change of the user, which ends
   * the sessions. The key does not outlive its session.
   * @param passwordHash that the caller's password was checked against
   * @param seconds how long the key lives at most
   * @returns when the key ends, or null when it was not inserted
   */
  async addElevated(key: NewElevatedKey, passwordHash: string, seconds: number): Promise<Date | null> {
    const [row] = await this.query<{ expiresAt: Date }[]>(
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
      [key.id, key.userId, key.sessionId, key.name, key.prefix, key.hash, passwordHash, seconds],
    );
    return row?.expiresAt ?? null;
  }

  /**
   * SQL: an insert from changed rows. Inserts an elevated key if the person has confirmed the session at the OpenID provider
   * within the last minutes. A confirmation makes one key. Otherwise like `addElevated`.
   */
  async addConfirmed(key: NewElevatedKey, seconds: number): Promise<Date | null> {
    const [row] = await this.query<{ expiresAt: Date }[]>(
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
  async deleteElevated(sessionId: string): Promise<string[]> {
    const { raw } = await this.createQueryBuilder().delete().where({ sessionId }).returning('id').execute();
    return (raw as { id: string }[]).map(({ id }) => id);
  }
}

function ownerColumn(owner: KeyOwner): ['user_id' | 'agent_id', string] {
  return 'userId' in owner ? ['user_id', owner.userId] : ['agent_id', owner.agentId];
}
