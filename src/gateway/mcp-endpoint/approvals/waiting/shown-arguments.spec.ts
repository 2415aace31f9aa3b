import { describe, expect, it } from '@jest/globals';
import { shownArguments } from './shown-arguments.js';

const plain = (text: string) => text;
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
    `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`,
    '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
  ])('hide a credential in a text by its form: %s', (credential) => {
    expect(shown({ list: [`before ${credential} after`] })).toEqual({ list: ['before [secret] after'] });
  });

  it('hide a web token in a longer word, and keep what only looks like the beginning of one', () => {
    const [head, body] = [`eyJ${'a'.repeat(20)}`, 'b'.repeat(20)];
    expect(shown({ x: `a.token-${head}.${body}.${body}.c, eyJ.${body}.${body}, ${head}.${body}.` })).toEqual({
      x: `a.token-[secret].c, eyJ.${body}.${body}, ${head}.${body}.`,
    });
  });

  // As one regular expression this took minutes, in which the service did nothing else.
  it('take the time of one pass, also where a text begins a credential again and again', () => {
    for (const text of [
      'eyJ-',
      'eyJaaaaaaaaaa.',
      '-----BEGIN ',
      '-----BEGIN A PRIVATE KEY----',
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
