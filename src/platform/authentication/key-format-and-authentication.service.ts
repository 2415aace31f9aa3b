import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { Settings } from '../config/settings.js';
import { BatchedReads } from '../database/batched-reads.js';
import { ApiKey } from './authentication.entities.js';
import { ApiKeyRepository, type KeyAndOwner } from './api-key.repository.js';
import { Unauthenticated } from './authentication.errors.js';
import { isLeaseKey, LeaseKeysService } from './lease-keys.service.js';
import { lowerOf, type Principal } from './principals-and-roles.js';
import { LastUses } from './session.repository.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^awp_[ua]_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** The number of characters of a key that may be shown and logged. */
export const PREFIX_LENGTH = 12;

/**
 * Returns a new key of 256 bits: `awp_u_` or `awp_a_`, 43 base62 characters, and the CRC32 of all before it in 6 more
 * (contract §2.5).
 */
export function makeApiKey(kind: 'user' | 'agent'): string {
  const body = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(62)]).join('');
  const key = `awp_${kind[0]}_${body}`;
  return key + checksumOf(key);
}

/** Returns whether a text has the form of a key. Such a text is a key only when its checksum is right as well. */
export function hasKeyForm(text: string): boolean {
  return FORM.test(text);
}

export function hasRightChecksum(key: string): boolean {
  return key.endsWith(checksumOf(key.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the hash that is stored of a key. A fast hash is enough for 256 random bits. */
export function hashOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Authenticates callers by their key. */
@Injectable()
export class KeyAuthenticationService {
  private readonly found = new BatchedReads<KeyAndOwner>('api_keys', async (hashes) => {
    const rows = await this.keys.findByHashes(hashes.map((hex) => Buffer.from(hex, 'hex')));
    return new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  });

  private readonly lastUses = new LastUses((id) => this.keys.touch(id));

  constructor(
    @InjectRepository(ApiKey) private readonly keys: ApiKeyRepository,
    private readonly leaseKeys: LeaseKeysService,
    private readonly settings: Settings,
  ) {}

  /**
   * Returns the holder of a key. The lease of a lease key is not checked: only the MCP endpoint takes such a key, and
   * checks it.
   * @throws {Unauthenticated} when the key is malformed, unknown, expired or of a disabled user
   */
  async principalOf(key: string): Promise<Principal> {
    if (isLeaseKey(key)) return this.leaseKeys.principalOf(key);
    return this.admit(await this.found.read(this.hashOf(key)));
  }

  /**
   * Returns the hash under which a key is stored, in hex.
   * @throws {Unauthenticated} when the text cannot be a key, so that an invented key costs no query
   */
  hashOf(key: string): string {
    if (!this.canExist(key)) throw new Unauthenticated();
    return hashOfKey(key).toString('hex');
  }

  /**
   * Returns the caller who holds the key that was read.
   * @throws {Unauthenticated} when the key is unknown, expired or of a disabled user
   */
  async admit(found: KeyAndOwner | null): Promise<Principal> {
    if (!found) throw new Unauthenticated();
    if (found.expired) throw new Unauthenticated('This key has expired. Ask for a new one.');
    if (found.user_disabled) throw new Unauthenticated();
    if (found.last_use_is_stale) await this.lastUses.record(found.key_id);
    return principalFrom(found);
  }

  /** A key that the operator chose for the first Owner has any form (`BOOTSTRAP_OWNER_API_KEY`). */
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
      toolsRequireLease: found.agent_tools_require_lease,
      lease: null,
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
    signedInWith: null,
    elevated: found.elevated,
    ...proof,
  };
}

/** Authenticates a caller by `Authorization: Bearer`, and by nothing else. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly keys: KeyAuthenticationService) {
    super({ realm: 'awp' });
  }

  /**
   * Passes only the headers on. The library would also accept a key in `?access_token=` or in the body, where logs and
   * proxies see it.
   */
  override authenticate(request: Request): void {
    super.authenticate({ headers: request.headers } as Request);
  }

  validate(key: string): Promise<Principal> {
    return this.keys.principalOf(key);
  }
}
