import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { advertisedName } from './advertised-name.js';

const hashOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 8);

describe('the name of a tool as agents know it', () => {
  it('is slug and name where that is allowed', () => {
    expect(advertisedName('github', 'create_issue')).toBe('github__create_issue');
    expect(advertisedName('a', 'x'.repeat(45))).toBe(`a__${'x'.repeat(45)}`);
  });

  it.each(['files/read', 'files.read', 'dateien lesen', 'ünï', '🦆'])(
    'of %j has an underscore for what is not allowed, and the hash of the name',
    (name) => {
      expect(advertisedName('files', name)).toBe(`files__${name.replace(/[^a-z]/gu, '_')}_${hashOf(name)}`);
    },
  );

  it('is cut to 48 characters, with the hash of the whole name', () => {
    const name = 'x'.repeat(46);
    expect(advertisedName('a', name)).toBe(`a__${'x'.repeat(36)}_${hashOf(name)}`);
  });

  it('tells names apart that look the same once changed', () => {
    expect(advertisedName('s', 'a.b')).not.toBe(advertisedName('s', 'a b'));
    expect(advertisedName('s', 'a.b')).not.toBe(advertisedName('s', 'a_b'));
  });

  it('has its form for every name', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.constantFrom('a', 'sixteen-letters1'),
        (name, slug) => {
          expect(advertisedName(slug, name)).toMatch(/^(?=.{1,48}$)[a-zA-Z0-9_-]+$/);
        },
      ),
    );
  });
});
