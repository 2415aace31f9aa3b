import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { GatheredReads } from '../database/gathered-reads.js';
import { Unauthenticated } from './auth.errors.js';
import { hashOfKey, hasKeyForm, hasRightChecksum } from './keys/api-key-format.js';
import { ApiKeysRepository, type KeyAndOwner } from './keys/api-keys.repository.js';
import type { Principal } from './principal.js';
import { lowerOf } from './roles.js';

/** Finds out who holds a key. */
@Injectable()
export class KeyAuthentication {
  private readonly found = new GatheredReads<KeyAndOwner>(async (hashes) => {
    const rows = await this.keys.findByHashes(hashes.map((hash) => Buffer.from(hash, 'hex')));
    return new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  });

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly settings: Settings,
  ) {}

  /** @throws {Unauthenticated} for a key that is malformed, unknown, expired or of a disabled user */
  async principalOf(key: string): Promise<Principal> {
    return this.admit(await this.found.read(this.hashOf(key)));
  }

  /**
   * Under which a key is stored, in hex.
   * @throws {Unauthenticated} for what can't be a key: made up, it costs no query
   */
  hashOf(key: string): string {
    if (!this.canExist(key)) throw new Unauthenticated();
    return hashOfKey(key).toString('hex');
  }

  /**
   * Who comes in with a key, by what has just been read of it.
   * @throws {Unauthenticated}
   */
  async admit(found: KeyAndOwner | null): Promise<Principal> {
    if (!found) throw new Unauthenticated();
    if (found.expired) throw new Unauthenticated('This key has expired; ask for a new one.');
    if (found.user_disabled) throw new Unauthenticated();
    if (found.last_use_is_stale) await this.keys.touch(found.key_id);
    return principalFrom(found);
  }

  /** The Owner's first key is whatever the operator chose (spec §2, bootstrap). */
  private canExist(key: string): boolean {
    if (hasKeyForm(key) && key !== this.settings.bootstrapOwner.apiKey) return hasRightChecksum(key);
    return /^[\x21-\x7e]{32,200}$/.test(key);
  }
}

function principalFrom(found: KeyAndOwner): Principal {
  const proof = { keyId: found.key_id, keyExpiresAt: found.expires_at };
  if (found.agent_id !== null)
    return {
      type: 'agent',
      id: found.agent_id,
      name: found.agent_name,
      disabled: found.agent_disabled,
      ...proof,
    };
  return {
    type: 'user',
    id: found.user_id!,
    name: found.user_name,
    email: found.user_email,
    role: lowerOf(found.user_role, found.role_cap),
    roleCap: found.role_cap,
    sessionId: null,
    ...proof,
  };
}
