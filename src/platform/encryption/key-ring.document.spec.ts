import { describe, expect, it } from '@jest/globals';
import {
  keyBytes,
  newKeyRing,
  parseKeyRing,
  ringOf,
  withNewKey,
  withoutKey,
  withPrimary,
} from './key-ring.document.js';

const document = newKeyRing('k1');

describe('the key ring as a document', () => {
  it('holds one fresh key of 32 bytes, which is primary', () => {
    expect(document).toMatchObject({ version: 1, primary: 'k1', keys: [{ id: 'k1' }] });
    expect(keyBytes(document.keys[0]!.key)).toHaveLength(32);
    expect(newKeyRing('k1').keys[0]!.key).not.toBe(document.keys[0]!.key);
  });

  it('reads what it writes', () => {
    const text = JSON.stringify(document);
    expect(parseKeyRing(text)).toEqual(document);
    expect(ringOf(parseKeyRing(text)).contains(ringOf(document))).toBe(true);
  });

  it('keeps the old keys when one is added, and makes it primary only where asked', () => {
    expect(withNewKey(document, 'k2', true)).toMatchObject({
      primary: 'k2',
      keys: [document.keys[0], { id: 'k2' }],
    });
    expect(withNewKey(document, 'k2', false).primary).toBe('k1');
  });

  it('lets only a key that is there become primary', () => {
    expect(withPrimary(withNewKey(document, 'k2', false), 'k2').primary).toBe('k2');
    expect(() => withPrimary(document, 'k2')).toThrow(/'k2'/);
  });

  it('loses only the key that is taken out', () => {
    expect(withoutKey(withNewKey(document, 'k2', false), 'k2')).toEqual(document);
  });

  it.each([
    ['half of itself', JSON.stringify(document).slice(0, 40), /complete JSON/],
    ['nothing', '', /complete JSON/],
    ['another version', JSON.stringify({ ...document, version: 2 }), /'version'/],
    ['no keys', JSON.stringify({ ...document, keys: [] }), /'keys'/],
    ['a list', '[]', /no key ring/],
  ])('refuses %s without quoting a key', (_, text, message) => {
    expect(() => parseKeyRing(text)).toThrow(message);
    expect(() => parseKeyRing(text)).not.toThrow(document.keys[0]!.key.slice(0, 8));
  });

  it.each(['', 'short', `${document.keys[0]!.key}x`, `*${document.keys[0]!.key.slice(1)}`])(
    'takes %j for no key',
    (base64) => {
      expect(keyBytes(base64)).toHaveLength(0);
    },
  );
});
