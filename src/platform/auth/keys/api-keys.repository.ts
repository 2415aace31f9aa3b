import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { readOldestFirst } from '../../database/keyset.js';
import type { Page, PageRequest } from '../../http/page.js';
import type { Role } from '../roles.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Whose keys: exactly one of the two is set. */
export type KeyOwner = { userId: string } | { agentId: string };

/** A key and its owner, as found by the hash of what the caller sent. */
export interface KeyAndOwner {
  hash: Buffer;
  key_id: string;
  role_cap: Role | null;
  expires_at: Date | null;
  expired: boolean;
  last_use_is_stale: boolean;
  user_id: string | null;
  user_name: string;
  user_email: string;
  user_role: Role;
  user_disabled: boolean;
  agent_id: string | null;
  agent_name: string;
  agent_disabled: boolean;
}

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** One statement for keys and owners: it runs for every request, so nothing about permission is remembered. */
  findByHashes(hashes: Buffer[]): Promise<KeyAndOwner[]> {
    return this.database.prepared<KeyAndOwner>('api_keys.by_hash', FIND_BY_HASH, [hashes]);
  }

  /** Told at most once a minute a key, whatever the number of requests and processes. */
  async touch(keyId: string): Promise<void> {
    await this.database.change(
      `UPDATE api_keys SET last_used_at = now()
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      [keyId],
    );
  }

  listOf(owner: KeyOwner, page: PageRequest): Promise<Page<ApiKeyEntity>> {
    const [column, ownerId] = 'userId' in owner ? ['user_id', owner.userId] : ['agent_id', owner.agentId];
    return readOldestFirst<ApiKeyEntity>(
      this.database,
      {
        columns: `id, user_id AS "userId", agent_id AS "agentId", name, prefix, role, expires_at AS "expiresAt",
                last_used_at AS "lastUsedAt", created_at AS "createdAt"`,
        from: 'api_keys',
        where: `${column} = $1`,
        parameters: [ownerId],
      },
      page,
    );
  }

  async insert(key: Omit<ApiKeyEntity, 'createdAt' | 'lastUsedAt'>): Promise<ApiKeyEntity> {
    await this.database.manager.insert(ApiKeyEntity, key);
    return this.database.manager.findOneByOrFail(ApiKeyEntity, { id: key.id });
  }

  async delete(owner: KeyOwner, keyId: string): Promise<boolean> {
    const result = await this.database.manager.delete(ApiKeyEntity, { ...owner, id: keyId });
    return result.affected === 1;
  }

  /** The ids of the keys that were an owner's; they end at once. */
  async deleteAllOf(owner: KeyOwner): Promise<void> {
    await this.database.manager.delete(ApiKeyEntity, owner);
  }
}

/** The columns of `KeyAndOwner`, from `KEYS_AND_OWNERS`. */
export const KEY_AND_OWNER = `
  k.hash, k.id AS key_id, k.role AS role_cap, k.expires_at, coalesce(k.expires_at <= now(), false) AS expired,
         (k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute') AS last_use_is_stale,
         u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role,
         u.disabled_at IS NOT NULL AS user_disabled,
         a.id AS agent_id, a.name AS agent_name, a.disabled AS agent_disabled`;

/** Every key `k` with the user `u` or the agent `a` that it belongs to. */
export const KEYS_AND_OWNERS = `
  api_keys k
  LEFT JOIN users u ON u.id = k.user_id
  LEFT JOIN agents a ON a.id = k.agent_id`;

/**
 * The array stands in a subquery, where the planner can't count it: else a plan made for its length looks cheaper than
 * the one plan for all, and every request pays for planning, four times what the reading costs.
 */
const FIND_BY_HASH = `
  SELECT ${KEY_AND_OWNER} FROM ${KEYS_AND_OWNERS} WHERE k.hash = ANY((SELECT $1::bytea[])::bytea[])`;
