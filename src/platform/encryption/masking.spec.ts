import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { maskSecrets } from './masking.js';

const TOKEN = 'sk-live-9aZ_77kQ';
const AWKWARD = `p@ss "wörd"/\\ +100%<~*!'>`;

describe('maskSecrets', () => {
  it('returns a text unchanged when it holds no secret', () => {
    expect(maskSecrets('plain words', [])).toBe('plain words');
    expect(maskSecrets('plain words', [TOKEN])).toBe('plain words');
  });

  it('replaces every occurrence of a secret', () => {
    expect(maskSecrets(`a ${TOKEN} b ${TOKEN}`, [TOKEN])).toBe('a [secret] b [secret]');
  });

  it('does not mask values of less than 8 code points', () => {
    expect(maskSecrets('port 1234567', ['1234567'])).toBe('port 1234567');
    expect(maskSecrets('🔑🔑🔑🔑', ['🔑🔑🔑🔑'])).toBe('🔑🔑🔑🔑');
    expect(maskSecrets('12345678', ['12345678'])).toBe('[secret]');
  });

  it('masks a secret of 3,200 lines in a text of 4 MB in one pass', () => {
    const line = (at: number) => `line ${at} ${(at * 2_654_435_761).toString(36)}`;
    const secret = Array.from({ length: 3_200 }, (_, at) => line(at)).join('\n');
    const text = `${'words '.repeat(350_000)}${line(1_234)}${' words'.repeat(350_000)}`;
    expect(maskSecrets(text, [secret]).replace(/words| /g, '')).toBe('[secret]');
  });

  it('masks 200,000 secrets in one string of a JSON text of 4 MB in one pass', () => {
    const text = `{"a":"${`${TOKEN}\\n`.repeat(200_000)}"}`;
    expect(maskSecrets(text, [TOKEN])).toBe(`{"a":"${'[secret]\\n'.repeat(200_000)}"}`);
  });

  it('masks two secrets that end and begin in one escape', () => {
    expect(maskSecrets('["abcdefgh\\u0041bcdefghi"]', ['abcdefgh\\u0', '41bcdefghi'])).toBe(
      '["[secret][secret]"]',
    );
  });

  it.each([
    ['a number', '{"order": 1234567890, "n": [12345678]}', '{"order": "[secret]", "n": ["[secret]"]}'],
    ['a string', '[ "a 12345678 b",\n"\\"12345678" ]', '[ "a [secret] b",\n"\\"[secret]" ]'],
    [
      'a string whose escape it begins in',
      '["x\\n12345678", "\\u004112345678"]',
      '["x\\n[secret]", "\\u0041[secret]"]',
    ],
    ['a name', '{"12345678": null}', '{"[secret]": null}'],
  ])('leaves JSON what it is where a secret is within %s', (_, text, masked) => {
    expect(maskSecrets(text, ['12345678'])).toBe(masked);
  });

  it('masks a secret that is not within one token, whatever becomes of the JSON', () => {
    const secret = '{"key":"x","id":1}';
    expect(maskSecrets(`[${secret}]`, [secret])).toBe('[[secret]]');
    expect(maskSecrets('["ab12345","67"]', ['12345","67'])).toBe('["ab[secret]"]');
    expect(maskSecrets('{"a": 1} 12345678', ['12345678'])).toBe('{"a": 1} [secret]');
  });

  it('masks the escapes whole in which a secret begins or ends', () => {
    expect(maskSecrets('["x\\nabcdefgh"]', ['nabcdefgh'])).toBe('["x[secret]"]');
    expect(maskSecrets('{"a":"\\u0041bcdefgh1"}', ['0041bcdefgh1'])).toBe('{"a":"[secret]"}');
    expect(maskSecrets('["abcdefgh\\u0041"]', ['abcdefgh\\u00'])).toBe('["[secret]"]');
  });

  it('leaves every JSON text one, and nothing of the secret in it', () => {
    const secrets = ['12345678', TOKEN];
    const leaf = fc.oneof(
      fc.constantFrom<unknown>(12345678, 1234567890, -12345678.5, '12345678', ...secrets),
      fc.string().map((text) => text + TOKEN),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(leaf, fc.array(tie('any')), fc.dictionary(fc.constantFrom('a', TOKEN), tie('any'))),
    })).any;
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom(0, 2), (given, indent) => {
        const masked = maskSecrets(JSON.stringify(given, null, indent), secrets);
        expect(() => void JSON.parse(masked)).not.toThrow();
        for (const secret of secrets) expect(masked).not.toContain(secret);
      }),
    );
  });

  it('masks all of a longer secret that begins with a shorter one', () => {
    expect(maskSecrets('abcdefgh-rest', ['abcdefgh', 'abcdefgh-rest'])).toBe('[secret]');
  });

  it('masks all of secrets that overlap', () => {
    expect(maskSecrets('<abcdefghijkl>', ['abcdefgh', 'efghijkl'])).toBe('<[secret]>');
    expect(maskSecrets('<xyxyxyxyxyx>', ['xyxyxyxy'])).toBe('<[secret]x>');
  });

  it.each([
    ['encodeURIComponent', encodeURIComponent(AWKWARD)],
    ['lower-case escapes', encodeURIComponent(AWKWARD).replace(/%../g, (escape) => escape.toLowerCase())],
    ['encodeURI', encodeURI(AWKWARD)],
    ['an HTML form', new URLSearchParams({ v: AWKWARD }).toString().slice(2)],
    ["Python's quote", 'p%40ss%20%22w%C3%B6rd%22/%5C%20%2B100%25%3C~%2A%21%27%3E'],
    ["Go's and PHP's query escaping", 'p%40ss+%22w%C3%B6rd%22%2F%5C+%2B100%25%3C~%2A%21%27%3E'],
    ["Go's JSON", String.raw`p@ss \"wörd\"/\\ +100%\u003c~*!'\u003e`],
    ["PHP's JSON", String.raw`p@ss \"wörd\"\/\\ +100%<~*!'>`],
    ["PHP's JSON in ASCII", String.raw`p@ss \"w\u00f6rd\"\/\\ +100%<~*!'>`],
    ['JSON within JSON within JSON', JSON.stringify(JSON.stringify(JSON.stringify(AWKWARD))).slice(7, -7)],
    ['the text of HTML and XML', 'p@ss "wörd"/\\ +100%&lt;~*!\'&gt;'],
    ['an attribute of HTML', "p@ss &quot;wörd&quot;/\\ +100%&lt;~*!'&gt;"],
    ["Python's html.escape", 'p@ss &quot;wörd&quot;/\\ +100%&lt;~*!&#x27;&gt;'],
    ["PHP's htmlspecialchars", 'p@ss &quot;wörd&quot;/\\ +100%&lt;~*!&#039;&gt;'],
    ['XML with named entities', 'p@ss &quot;wörd&quot;/\\ +100%&lt;~*!&apos;&gt;'],
    ['JSON', JSON.stringify(AWKWARD).slice(1, -1)],
    ['JSON within JSON', JSON.stringify(JSON.stringify(AWKWARD)).slice(3, -3)],
    ['JSON in ASCII', JSON.stringify(AWKWARD).slice(1, -1).replace('ö', '\\u00f6')],
    ['hex', Buffer.from(AWKWARD).toString('hex')],
    ['upper-case hex', Buffer.from(AWKWARD).toString('hex').toUpperCase()],
    ['percent escapes throughout', Buffer.from(AWKWARD).toString('hex').replace(/../g, '%$&')],
    ['base64', Buffer.from(AWKWARD).toString('base64')],
    ['base64url', Buffer.from(AWKWARD).toString('base64url')],
  ])('masks a secret written in %s', (_, written) => {
    expect(maskSecrets(`value=${written};`, [AWKWARD])).toBe('value=[secret];');
  });

  it.each(['u:', 'us:', 'usr:'])('masks a secret inside base64 that begins with "%s"', (before) => {
    const masked = maskSecrets(Buffer.from(`${before}${TOKEN}`).toString('base64'), [TOKEN]);
    expect(masked).toMatch(/^[\w+/]{2,5}\[secret\]$/);
  });

  it('masks every character of base64 that holds bits of a secret, whatever surrounds it', () => {
    const bytes = fc.uint8Array({ maxLength: 7 });
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: 'grapheme' }), bytes, bytes, (secret, before, after) => {
        const all = Buffer.concat([before, Buffer.from(secret), after]);
        const charactersBefore = Math.floor((before.length * 8) / 6);
        const charactersAfter = Math.ceil((after.length * 8) / 6);
        for (const alphabet of ['base64', 'base64url'] as const) {
          const left = maskSecrets(all.toString(alphabet), [secret]).replace(/\[secret\]|=/g, '');
          expect(left.length).toBeLessThanOrEqual(charactersBefore + charactersAfter);
        }
      }),
    );
  });

  it('masks each line of a multi-line secret, and a secret that was pasted with surrounding space', () => {
    const pem = '-----BEGIN KEY-----\nMIIEvQIBADANBg\n  kqhkiG9w0BAQ\n-----END KEY-----\n';
    expect(maskSecrets('line: MIIEvQIBADANBg', [pem])).toBe('line: [secret]');
    expect(maskSecrets('line: kqhkiG9w0BAQ', [pem])).toBe('line: [secret]');
    expect(maskSecrets(`token ${TOKEN}!`, [` ${TOKEN}\n`])).toBe('token [secret]!');
  });
});
