import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { z } from 'zod';
import { ConfigurationError } from '../exit/exit-codes.js';

/**
 * The key ring is unusable. The message is one sentence for the operator that names the key id or the setting, never a
 * key, and says what to do (contract §3.3).
 */
export class KeyRingError extends ConfigurationError {}

/** A sealed value does not open: it was changed, moved to another row, or sealed with a key that the key ring lacks. */
export class SealBroken extends Error {
  constructor(why: string) {
    super(`A sealed value does not open: ${why}.`);
  }
}

/** The parts of a sealed value: an AES-256-GCM ciphertext, its nonce and tag, and the id of the key. */
export interface SealedValue {
  keyId: string;
  /** 12 bytes. */
  nonce: Buffer;
  ciphertext: Buffer;
  /** Always 16 bytes, because a shorter tag can be guessed. */
  tag: Buffer;
}

/** `v1.<key id>.<nonce>.<ciphertext>.<tag>`, the last three in base64url: 16, any and 22 characters. */
const SEALED =
  /^v1\.(?<keyId>[a-z0-9]{1,16})\.(?<nonce>[\w-]{16})\.(?<ciphertext>[\w-]*)\.(?<tag>[\w-]{22})$/;

export function writeSealedValue(value: SealedValue): string {
  const parts = [value.nonce, value.ciphertext, value.tag].map((part) => part.toString('base64url'));
  return ['v1', value.keyId, ...parts].join('.');
}

/**
 * Parses a text that `writeSealedValue` made. A value has one spelling: another text that decodes to the same bytes is
 * rejected too.
 * @throws {SealBroken} when the text is not the one spelling of a sealed value
 */
export function readSealedValue(text: string): SealedValue {
  const parts = SEALED.exec(text)?.groups;
  if (!parts) throw new SealBroken('it does not have the form of a sealed value');
  const value = {
    keyId: parts['keyId']!,
    nonce: Buffer.from(parts['nonce']!, 'base64url'),
    ciphertext: Buffer.from(parts['ciphertext']!, 'base64url'),
    tag: Buffer.from(parts['tag']!, 'base64url'),
  };
  if (writeSealedValue(value) !== text) throw new SealBroken('it does not have the form of a sealed value');
  return value;
}

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

/** The key ring as its file holds it. `key` is 32 bytes in base64, `createdAt` is ISO 8601. */
export interface KeyRingDocument {
  version: 1;
  primary: string;
  keys: { id: string; key: string; createdAt?: string }[];
}

const documentSchema = z.object({
  version: z.literal(1),
  primary: z.string(),
  keys: z.array(z.object({ id: z.string(), key: z.string(), createdAt: z.string().optional() })).min(1),
});

/** @throws {KeyRingError} when `text` is not a key ring; the message never quotes it */
export function parseKeyRing(text: string): KeyRingDocument {
  const parsed = documentSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [member = 'version'] = parsed.error.issues[0]?.path ?? [];
  throw new KeyRingError(
    `is not a key ring ('${String(member)}' is wrong or missing): restore it from your backup`,
  );
}

/**
 * Returns the key ring that a document describes.
 * @throws {KeyRingError} when an id, a key or the primary is invalid
 */
export function ringOf(document: KeyRingDocument): KeyRing {
  const keys = document.keys.map(({ id, key }) => ({ id, key: keyBytes(key) }));
  return new KeyRing(keys, document.primary);
}

/** Decodes a key in base64. Returns no bytes for anything else, because Node's decoder skips invalid characters. */
export function keyBytes(base64: string): Buffer {
  return /^[\w+/-]{43}=?$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);
}

/** Returns a key ring of one new key. */
export function newKeyRing(id: string): KeyRingDocument {
  return { version: 1, primary: id, keys: [freshKey(id)] };
}

/** Returns `document` with another new key, which seals from now on if it is `primary`. */
export function withNewKey(document: KeyRingDocument, id: string, primary: boolean): KeyRingDocument {
  return {
    ...document,
    primary: primary ? id : document.primary,
    keys: [...document.keys, freshKey(id)],
  };
}

/**
 * Returns `document` with another of its keys as primary.
 * @throws {KeyRingError} when it has no such key
 */
export function withPrimary(document: KeyRingDocument, id: string): KeyRingDocument {
  if (!document.keys.some((key) => key.id === id))
    throw new KeyRingError(`The key ring has no key '${id}' to seal with.`);
  return { ...document, primary: id };
}

/** Returns `document` without a key that is not primary. */
export function withoutKey(document: KeyRingDocument, id: string): KeyRingDocument {
  return { ...document, keys: document.keys.filter((key) => key.id !== id) };
}

function freshKey(id: string): KeyRingDocument['keys'][number] {
  return { id, key: randomBytes(32).toString('base64'), createdAt: new Date().toISOString() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyRingError(
      'is not complete JSON, perhaps cut off while it was copied: restore it from your backup',
    );
  }
}
