import { SealBroken } from './key-ring.errors.js';

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
