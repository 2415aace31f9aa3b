import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { KeyRingError, SealBroken } from './key-ring.errors.js';
import { readSealedValue, writeSealedValue } from './sealed-value.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** Set for sealing and for opening. Without it Node accepts tags of 4 bytes. */
const TAG = { authTagLength: 16 };
const KEY_ID = /^[a-z0-9]{1,16}$/;

/** A key of 32 bytes and its id. */
export interface RingKey {
  id: string;
  key: Buffer;
}

/**
 * The keys that seal and open values (contract §3.3). The primary key seals, and every key opens. A value is bound to its
 * context, which names the row that it belongs to (`mcp_env|<serverId>|<NAME>`), and does not open in another one.
 */
export class KeyRing {
  private readonly keys = new Map<string, KeyObject>();

  /** @throws {KeyRingError} when an id, a key or the primary is invalid */
  constructor(
    keys: readonly RingKey[],
    readonly primary: string,
  ) {
    for (const { id, key } of keys) {
      // The id is not quoted, because the text in the place of an id may be a key.
      if (!KEY_ID.test(id)) throw new KeyRingError('has a key whose id is not 1 to 16 of a-z and 0-9');
      if (this.keys.has(id)) throw new KeyRingError(`has two keys '${id}': give each an id of its own`);
      if (key.length !== KEY_BYTES)
        throw new KeyRingError(`has a key '${id}' that is not 32 bytes in base64`);
      this.keys.set(id, createSecretKey(key));
    }
    if (!this.keys.has(primary)) throw new KeyRingError('names a primary key that it does not hold');
  }

  get ids(): string[] {
    return [...this.keys.keys()];
  }

  /** Returns whether this key ring holds every key of `other` under the same id. */
  contains(other: KeyRing): boolean {
    return [...other.keys].every(([id, key]) => this.keys.get(id)?.equals(key));
  }

  /** Seals `plain` for this context with a new nonce, so that the same value looks different each time. */
  seal(plain: string, context: string, keyId = this.primary): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(keyId), nonce, TAG).setAAD(boundTo(keyId, context));
    const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return writeSealedValue({ keyId, nonce, ciphertext, tag: cipher.getAuthTag() });
  }

  /** @throws {SealBroken} when `seal` did not make the value for this context with a key of this key ring */
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

  /**
   * Returns the HMAC-SHA256 of `text` for this context, the same one each time. Its key is derived, so that no key both
   * seals and signs.
   * @throws {SealBroken} when the key ring does not hold the key
   */
  mac(text: string, context: string, keyId = this.primary): Buffer {
    const derived = hkdfSync('sha256', this.key(keyId), '', boundTo(keyId, `mac|${context}`), KEY_BYTES);
    return createHmac('sha256', Buffer.from(derived)).update(text).digest();
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
