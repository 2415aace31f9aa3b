import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  KeyRing,
  KeyRingError,
  readSealedValue,
  type RingKey,
  SealBroken,
  type SealedValue,
  writeSealedValue,
} from './key-ring.js';

const CONTEXT = 'mcp_env|01234567-89ab-7cde-8f01-23456789abcd|GITHUB_TOKEN';
const aKey = (id: string): RingKey => ({ id, key: randomBytes(32) });
const ring = new KeyRing([aKey('k2'), aKey('k1')], 'k2');
const sealed = ring.seal('the value', CONTEXT);
const altered = (change: Partial<SealedValue>) => writeSealedValue({ ...readSealedValue(sealed), ...change });

describe('a sealed value', () => {
  it('opens to the text that was sealed, for any text and context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(ring.open(ring.seal(plain, context), context)).toBe(plain);
      }),
    );
  });

  it('holds the id of the primary key and a new nonce, and nothing of the value', () => {
    const again = ring.seal('the value', CONTEXT);
    expect(again).toMatch(/^v1\.k2\./);
    expect(readSealedValue(again).nonce).not.toEqual(readSealedValue(sealed).nonce);
    expect(again).not.toContain(Buffer.from('the value').toString('base64url'));
  });

  it('opens after another key has become primary', () => {
    const keys = [aKey('k1'), aKey('k2')];
    const old = new KeyRing(keys, 'k1').seal('the value', CONTEXT);
    expect(new KeyRing(keys, 'k2').open(old, CONTEXT)).toBe('the value');
  });

  it('does not open in another context', () => {
    expect(() => ring.open(sealed, `${CONTEXT}2`)).toThrow(SealBroken);
    expect(() => ring.open(sealed, '')).toThrow(SealBroken);
  });

  it('does not open under another key id, even when both ids have the same key', () => {
    const { key } = aKey('k1');
    const twins = new KeyRing(
      [
        { id: 'k1', key },
        { id: 'k2', key },
      ],
      'k1',
    );
    const moved = twins.seal('the value', CONTEXT).replace('v1.k1.', 'v1.k2.');
    expect(() => twins.open(moved, CONTEXT)).toThrow(SealBroken);
  });

  it.each([0, 4, 8, 12, 13, 14, 15, 17])('does not open with a tag of %d bytes', (length) => {
    const tag = Buffer.concat([readSealedValue(sealed).tag, Buffer.alloc(1)]).subarray(0, length);
    expect(() => ring.open(altered({ tag }), CONTEXT)).toThrow(SealBroken);
  });

  it('does not open when a part of the tag was moved into the ciphertext', () => {
    const { ciphertext, tag } = readSealedValue(sealed);
    const shifted = altered({
      ciphertext: Buffer.concat([ciphertext, tag.subarray(0, 1)]),
      tag: tag.subarray(1),
    });
    expect(() => ring.open(shifted, CONTEXT)).toThrow(SealBroken);
  });

  it('does not open after any single bit was flipped', () => {
    const bytes = Buffer.from(sealed);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => ring.open(flipped.toString('latin1'), CONTEXT)).toThrow(SealBroken);
    }
  });

  it('has one spelling: unused bits, padding and surrounding space are rejected', () => {
    const unusedBit = sealed.slice(0, -1) + String.fromCharCode(sealed.charCodeAt(sealed.length - 1) + 1);
    for (const text of [unusedBit, `${sealed}=`, `${sealed}\n`, ` ${sealed}`, ''])
      expect(() => ring.open(text, CONTEXT)).toThrow(SealBroken);
  });

  it('fails to open with the name of the key that the key ring lacks', () => {
    const other = new KeyRing([aKey('k9')], 'k9');
    expect(() => ring.open(other.seal('the value', CONTEXT), CONTEXT)).toThrow(/'k9'/);
  });
});

describe('KeyRing', () => {
  it('rejects a key that is not 32 bytes, and names its id', () => {
    expect(() => new KeyRing([{ id: 'k1', key: randomBytes(31) }], 'k1')).toThrow(/'k1'.*32 bytes/);
  });

  it.each(['', 'K1', 'k_1', 'a2345678901234567', 'k1\n'])(
    'rejects the key id %j without quoting it',
    (id) => {
      expect(() => new KeyRing([aKey(id)], id)).toThrow(
        new KeyRingError('has a key whose id is not 1 to 16 of a-z and 0-9'),
      );
    },
  );

  it('rejects a duplicate id and a primary key that it does not hold', () => {
    expect(() => new KeyRing([aKey('k1'), aKey('k1')], 'k1')).toThrow(/two keys 'k1'/);
    expect(() => new KeyRing([aKey('k1')], 'k2')).toThrow(/primary/);
  });

  it('contains another key ring only if it holds each of its keys under the same id', () => {
    const [one, two] = [aKey('k1'), aKey('k2')];
    const both = new KeyRing([one, two], 'k2');
    expect(both.contains(new KeyRing([one], 'k1'))).toBe(true);
    expect(new KeyRing([one], 'k1').contains(both)).toBe(false);
    expect(both.contains(new KeyRing([{ id: 'k2', key: one.key }], 'k2'))).toBe(false);
  });
});
