import { describe, expect, it } from '@jest/globals';
import { shownArguments } from './masked-arguments.js';

const plain = (text: string) => text;
const LINE = 'aB3+'.repeat(16);
const shown = (given: Record<string, unknown>) => shownArguments(given, plain);

describe('arguments that a person decides on', () => {
  it.each(['password', 'API_KEY', 'client-secret', 'Authorization', 'access.token'])(
    'hide the value of %j',
    (name) => {
      expect(shown({ [name]: 'Bearer abcdefgh' })).toEqual({ [name]: '[secret]' });
    },
  );

  it.each([
    ['password', 'DROP TABLE users; --'],
    ['token', ''],
    ['secret', 'x'.repeat(513)],
    ['password_reset_url', 'https://example.com/x'],
    ['tokens', 7],
  ])('show what cannot be a credential, as in %j', (name, value) => {
    expect(shown({ [name]: value })).toEqual({ [name]: value });
  });

  it.each([
    `ghp_${'a'.repeat(36)}`,
    `awp_u_${'a'.repeat(49)}`,
    `sk-${'a'.repeat(40)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(43)}`,
    `eyJ${'a'.repeat(20)}..${'b'.repeat(16)}.${'c'.repeat(30)}.${'d'.repeat(22)}`,
    `eyJ${'a'.repeat(20)}.${'b'.repeat(342)}.${'c'.repeat(22)}.${'d'.repeat(30)}.${'e'.repeat(43)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${LINE}\nabc\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\\n${LINE}\\n${LINE}\\n-----END PRIVATE KEY-----`,
    `-----BEGIN EC PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,${'0A'.repeat(16)}\r\n\r\n${LINE}\r\n-----END EC PRIVATE KEY-----`,
    `-----BEGIN OPENSSH PRIVATE KEY----- ${LINE} ${LINE} abc= -----END OPENSSH PRIVATE KEY-----`,
  ])('hide a credential in a text by its form: %s', (credential) => {
    expect(shown({ list: [`before ${credential} after`] })).toEqual({ list: ['before [secret] after'] });
  });

  it('hide a web token in a longer word, and keep what only looks like the beginning of one', () => {
    const [head, body] = [`eyJ${'a'.repeat(20)}`, 'b'.repeat(43)];
    expect(shown({ x: `a.token-${head}.${body}.${body}.c, eyJ.${body}.${body}, ${head}.${body}.` })).toEqual({
      x: `a.token-[secret].c, eyJ.${body}.${body}, ${head}.${body}.`,
    });
  });

  it('hide of a private key that was cut off what is its own', () => {
    const begin = '-----BEGIN PRIVATE KEY-----';
    expect(shown({ x: `${begin}\n${LINE}\n${LINE}\nab` })).toEqual({ x: '[secret]' });
    expect(shown({ x: `${begin}\n${LINE}\nrm -rf /` })).toEqual({ x: '[secret]\nrm -rf /' });
  });

  it.each([
    'true # -----BEGIN PRIVATE KEY-----\nrm -rf /\n# -----END PRIVATE KEY-----',
    'true # -----BEGIN PRIVATE KEY-----; rm -rf /',
    `true # -----BEGIN RSA PRIVATE KEY-----\n${LINE}\nrm -rf /\n${LINE}\nshutdown now`,
  ])('show all else of a text, so that nothing hides in a private key: %s', (text) => {
    const { text: seen } = shown({ text }) as { text: string };
    for (const [part] of text.matchAll(/rm -rf \/|shutdown now/g)) expect(seen).toContain(part);
  });

  it.each(['photography', 'xn--vermgensberatung-pwb', 'xn--clchc0ea0b2g2a9gcd'])(
    'show a host that looks like a web token: .%s',
    (top) => {
      const url = `https://eyJhbGciOiJub25lIn0.eyJhIjoxfQaaaaaaaaaa.${top}/x`;
      expect(shown({ url })).toEqual({ url });
      const deep = `https://eyJhbGciOiJub25lIn0.aaaaaaaaaaaa.${'b'.repeat(16)}.attacker.${top}/x`;
      expect(shown({ url: deep })).toEqual({ url: deep });
    },
  );

  it('show each of two arguments whose names look the same', () => {
    expect(shown({ 'a\u200b': 'hidden', 'a\\u{200b}': 'seen' })).toEqual({
      'a\\u{200b}': 'hidden',
      'a\\u{200b} (2)': 'seen',
    });
    const own = JSON.parse('{"__proto__":{"x":"y"}}') as Record<string, unknown>;
    expect(JSON.stringify(shown(own))).toBe('{"__proto__":{"x":"y"}}');
  });

  // As one regular expression this took minutes, in which the service did nothing else.
  it('take the time of one pass, also where a text begins a credential again and again', () => {
    for (const text of [
      'eyJ-',
      'eyJaaaaaaaaaa.',
      '-----BEGIN ',
      '-----BEGIN A PRIVATE KEY----',
      '-----BEGIN A PRIVATE KEY-----\n',
      `-----BEGIN A PRIVATE KEY-----\n${LINE}${'\n '.repeat(1000)}`,
      `-----BEGIN PRIVATE KEY-----${'\n'.repeat(40_000)}`,
      'sk-xox',
      'Bearer ',
    ])
      shown({ x: text.repeat(262_144 / text.length) });
  });

  it('hide what the service knows to be a credential, in names as well', () => {
    const mask = (text: string) => text.replaceAll('known', '[secret]');
    expect(shownArguments({ 'a known b': 'c known d' }, mask)).toEqual({ 'a [secret] b': 'c [secret] d' });
  });

  it('show invisible characters of names and texts', () => {
    expect(shown({ 'a\u200bb': ['x\u202ey', { deep: '\u0000' }] })).toEqual({
      'a\\u{200b}b': ['x\\u{202e}y', { deep: '\\u{0}' }],
    });
  });
});
