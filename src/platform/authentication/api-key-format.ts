import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

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
