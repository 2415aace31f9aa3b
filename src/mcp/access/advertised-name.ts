import { createHash } from 'node:crypto';

/** Clients put a prefix of their own before it and break at 64 (spec §7). */
const MAX_LENGTH = 48;

/** Hex digits of the tool's own name that a changed name ends in. */
const HASH_LENGTH = 8;

/**
 * The name under which agents are told of a server's tool or prompt: `<slug>__<name>`, of `[a-zA-Z0-9_-]`, at
 * most 48 characters. One that had to be changed or cut ends in `_` and 8 hex digits of the SHA-256 of the
 * tool's own name. A function of slug and name alone: a further server renames nothing (spec §7).
 */
export function advertisedName(slug: string, name: string): string {
  const plain = `${slug}__${name.replace(/[^a-zA-Z0-9_-]/gu, '_')}`;
  if (plain === `${slug}__${name}` && plain.length <= MAX_LENGTH) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
