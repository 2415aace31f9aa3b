import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { advertisedName, advertisedNames, originalOf, partsOf } from './advertised-name.js';

const hashOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 8);

describe('advertisedName', () => {
  it('joins slug and name if the result is allowed', () => {
    expect(advertisedName('github', 'create_issue')).toBe('github__create_issue');
    expect(advertisedName('a', 'x'.repeat(45))).toBe(`a__${'x'.repeat(45)}`);
  });

  it.each(['files/read', 'files.read', 'dateien lesen', 'ünï', '🦆'])(
    'replaces characters of %j that are not allowed and appends the hash of the name',
    (name) => {
      expect(advertisedName('files', name)).toBe(`files__${name.replace(/[^a-z]/gu, '_')}_${hashOf(name)}`);
    },
  );

  it('cuts a long name to 48 characters that end in the hash of the whole name', () => {
    const name = 'x'.repeat(46);
    expect(advertisedName('a', name)).toBe(`a__${'x'.repeat(36)}_${hashOf(name)}`);
  });

  it('keeps names distinct that are equal after the replacement', () => {
    expect(advertisedName('s', 'a.b')).not.toBe(advertisedName('s', 'a b'));
    expect(advertisedName('s', 'a.b')).not.toBe(advertisedName('s', 'a_b'));
  });

  it('returns a name of the required form for every input', () => {
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

describe('the names of a list', () => {
  it('keep capitals that tell no two of them apart', () => {
    expect(advertisedNames('s', ['getUser', 'UPPER', 'a.B'])).toEqual([
      's__getUser',
      's__UPPER',
      advertisedName('s', 'a.B'),
    ]);
  });

  it('differ without regard to case, each leads back to its tool, and so does the plain one', () => {
    const name = fc.array(fc.constantFrom('a', 'A', 'b', '.', 'É', 'é'), { minLength: 1, maxLength: 60 });
    const names = fc.uniqueArray(
      name.map((letters) => letters.join('')),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(names, (own) => {
        const advertised = advertisedNames('s', own);
        expect(new Set(advertised.map((one) => one.toLowerCase())).size).toBe(own.length);
        for (const [at, one] of advertised.entries()) {
          expect(one).toMatch(/^[a-zA-Z0-9_-]{1,48}$/);
          expect(originalOf(one, 's', own)).toBe(own[at]);
          expect(originalOf(advertisedName('s', own[at]!), 's', own)).toBe(own[at]);
          expect(one === `s__${own[at]}` || partsOf(one)?.mayBeChanged).toBe(true);
        }
      }),
    );
  });
});

describe('the parts of an advertised name', () => {
  it('are the slug of a server and the name of its tool', () => {
    expect(partsOf('git-hub__create_issue')).toEqual({
      slug: 'git-hub',
      name: 'create_issue',
      mayBeChanged: false,
    });
    expect(partsOf('a__b__c')).toMatchObject({ slug: 'a', name: 'b__c' });
  });

  it.each(['', 'echo', 'a__', '__b', 'A__b', 'a__b c', 'a__\u0000', 7, null, undefined])(
    'do not exist for %p',
    (name) => {
      expect(partsOf(name)).toBeNull();
    },
  );

  it('are compared up to 1,024 characters, and a longer name belongs to no tool', () => {
    const name = 'A'.repeat(3_500_000);
    expect(partsOf(`evil__${name}`)).toEqual({
      slug: 'evil',
      name: `${'A'.repeat(1_018)}…`,
      mayBeChanged: false,
    });
    expect(partsOf(`evil__${'A'.repeat(1_018)}`)?.name).toBe('A'.repeat(1_018));
  });

  it('lead back to the own name of a tool whose name had to be changed', () => {
    const names = ['read file', 'read/file', 'a'.repeat(80), `${'a'.repeat(79)}b`];
    for (const name of names) {
      const advertised = advertisedName('files', name);
      expect(partsOf(advertised)?.mayBeChanged).toBe(true);
      expect(originalOf(advertised, 'files', names)).toBe(name);
    }
  });
});
