import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KeyRingFault } from './key-ring.errors.js';
import { KeyRing } from './key-ring.js';

/** The key ring as it is written in its file: `key` is 32 bytes in base64, `createdAt` ISO 8601. */
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

/** @throws {KeyRingFault} when `text` is no key ring; what it holds is never quoted */
export function parseKeyRing(text: string): KeyRingDocument {
  const parsed = documentSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [member = 'version'] = parsed.error.issues[0]?.path ?? [];
  throw new KeyRingFault(
    `is no key ring ('${String(member)}' is wrong or missing): put it back from your backup`,
  );
}

/** The keys ready for use. @throws {KeyRingFault} */
export function ringOf(document: KeyRingDocument): KeyRing {
  const keys = document.keys.map(({ id, key }) => ({ id, key: keyBytes(key) }));
  return new KeyRing(keys, document.primary);
}

/** Bytes of a key in base64, none where it is not exactly that: Node's decoder skips what it can't read. */
export function keyBytes(base64: string): Buffer {
  return /^[\w+/-]{43}=?$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);
}

/** A ring of one fresh key. */
export function newKeyRing(id: string): KeyRingDocument {
  return { version: 1, primary: id, keys: [freshKey(id)] };
}

/** `document` with a fresh key more, which seals from now on where it is `primary`. */
export function withNewKey(document: KeyRingDocument, id: string, primary: boolean): KeyRingDocument {
  return {
    ...document,
    primary: primary ? id : document.primary,
    keys: [...document.keys, freshKey(id)],
  };
}

/** `document` with another of its keys as primary. @throws {KeyRingFault} */
export function withPrimary(document: KeyRingDocument, id: string): KeyRingDocument {
  if (!document.keys.some((key) => key.id === id))
    throw new KeyRingFault(`The key ring has no key '${id}' to seal with.`);
  return { ...document, primary: id };
}

/** `document` without a key that is not primary. */
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
    throw new KeyRingFault(
      'is not complete JSON, perhaps cut off while it was copied: put it back from your backup',
    );
  }
}
