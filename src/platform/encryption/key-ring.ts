import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { KeyRingFault, SealBroken } from './key-ring.errors.js';
import { readSealedValue, writeSealedValue } from './sealed-value.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** Said at both ends: without it Node takes tags of 4 bytes. */
const TAG = { authTagLength: 16 };
const KEY_ID = /^[a-z0-9]{1,16}$/;

/** A key by its id, 32 bytes. */
export interface RingKey {
  id: string;
  key: Buffer;
}

/**
 * The keys that seal and open values (spec §3.3): one is primary and seals, all of them open. A value is
 * bound to its context, which says where it belongs (`mcp_env|<serverId>|<NAME>`): elsewhere it does not open.
 */
export class KeyRing {
  private readonly keys = new Map<string, KeyObject>();

  /** @throws {KeyRingFault} for an id, a key or a primary that can't be */
  constructor(
    keys: readonly RingKey[],
    readonly primary: string,
  ) {
    for (const { id, key } of keys) {
      // Not quoted: what stands in the place of an id may be a key.
      if (!KEY_ID.test(id)) throw new KeyRingFault('has a key whose id is not 1 to 16 of a-z and 0-9');
      if (this.keys.has(id)) throw new KeyRingFault(`has two keys '${id}': give each an id of its own`);
      if (key.length !== KEY_BYTES)
        throw new KeyRingFault(`has a key '${id}' that is not 32 bytes in base64`);
      this.keys.set(id, createSecretKey(key));
    }
    if (!this.keys.has(primary)) throw new KeyRingFault('names a primary key that it does not hold');
  }

  get ids(): string[] {
    return [...this.keys.keys()];
  }

  /** Whether every key of `other` is in this ring, under the same id. */
  contains(other: KeyRing): boolean {
    return [...other.keys].every(([id, key]) => this.keys.get(id)?.equals(key));
  }

  /** Seals `plain` for this context, with a fresh nonce: the same value looks different each time. */
  seal(plain: string, context: string, keyId = this.primary): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(keyId), nonce, TAG).setAAD(boundTo(keyId, context));
    const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return writeSealedValue({ keyId, nonce, ciphertext, tag: cipher.getAuthTag() });
  }

  /** @throws {SealBroken} for anything that `seal` did not make for this context with a key of this ring */
  open(sealed: string, context: string): string {
    const { keyId, nonce, ciphertext, tag } = readSealedValue(sealed);
    const decipher = createDecipheriv(CIPHER, this.key(keyId), nonce, TAG);
    decipher.setAAD(boundTo(keyId, context)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      throw new SealBroken(`it was changed, moved, or sealed with another key than '${keyId}'`);
    }
  }

  private key(id: string): KeyObject {
    const key = this.keys.get(id);
    if (!key) throw new SealBroken(`the key ring has no key '${id}'`);
    return key;
  }
}

function boundTo(keyId: string, context: string): Buffer {
  return Buffer.from(`awp/v1|${keyId}|${context}`, 'utf8');
}
