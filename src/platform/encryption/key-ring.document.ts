import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KeyRingError } from './key-ring.errors.js';
import { KeyRing } from './key-ring.js';

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
