import { describe, expect, it } from '@jest/globals';
import {
  keyBytes,
  newKeyRing,
  parseKeyRing,
  ringOf,
  withNewKey,
  withoutKey,
  withPrimary,
} from './key-ring.js';

const document = newKeyRing('k1');

describe('the key ring as a document', () => {
  it('holds one new key of 32 bytes, which is primary', () => {
    expect(document).toMatchObject({ version: 1, primary: 'k1', keys: [{ id: 'k1' }] });
    expect(keyBytes(document.keys[0]!.key)).toHaveLength(32);
    expect(newKeyRing('k1').keys[0]!.key).not.toBe(document.keys[0]!.key);
  });

  it('is parsed from its own JSON', () => {
    const text = JSON.stringify(document);
    expect(parseKeyRing(text)).toEqual(document);
    expect(ringOf(parseKeyRing(text)).contains(ringOf(document))).toBe(true);
  });

  it('keeps the old keys when one is added, and makes the new one primary only on request', () => {
    expect(withNewKey(document, 'k2', true)).toMatchObject({
      primary: 'k2',
      keys: [document.keys[0], { id: 'k2' }],
    });
    expect(withNewKey(document, 'k2', false).primary).toBe('k1');
  });

  it('makes only a key that it holds primary', () => {
    expect(withPrimary(withNewKey(document, 'k2', false), 'k2').primary).toBe('k2');
    expect(() => withPrimary(document, 'k2')).toThrow(/'k2'/);
  });

  it('loses only the key that is removed', () => {
    expect(withoutKey(withNewKey(document, 'k2', false), 'k2')).toEqual(document);
  });

  it.each([
    ['a text that is cut off', JSON.stringify(document).slice(0, 40), /complete JSON/],
    ['an empty text', '', /complete JSON/],
    ['another version', JSON.stringify({ ...document, version: 2 }), /'version'/],
    ['a document without keys', JSON.stringify({ ...document, keys: [] }), /'keys'/],
    ['a list', '[]', /not a key ring/],
  ])('rejects %s without quoting a key', (_, text, message) => {
    expect(() => parseKeyRing(text)).toThrow(message);
    expect(() => parseKeyRing(text)).not.toThrow(document.keys[0]!.key.slice(0, 8));
  });

  it.each(['', 'short', `${document.keys[0]!.key}x`, `*${document.keys[0]!.key.slice(1)}`])(
    'decodes %j to no bytes',
    (base64) => {
      expect(keyBytes(base64)).toHaveLength(0);
    },
  );
});
