import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  branchAddress,
  codeAddressOf,
  issueNumbersIn,
  repositoryAddressOf,
} from './code-addresses-and-keys.js';

describe('the address of code', () => {
  it.each([
    [
      'https://github.com/acme/web/pull/12/files?w=1#diff',
      'pull_request',
      '/acme/web/pull/12',
      'acme/web#12',
    ],
    ['https://github.com/acme/web/commit/0123456789abcdef', 'commit', null, 'acme/web@0123456789ab'],
    ['https://github.com/acme/web/tree/fix/a%20b', 'branch', null, 'acme/web:fix/a b'],
    ['https://github.com/acme/web/tree/x/commit/0123456', 'branch', null, 'acme/web:x/commit/0123456'],
    [
      'https://gitlab.com/a/b/c/-/merge_requests/3/diffs',
      'pull_request',
      '/a/b/c/-/merge_requests/3',
      'a/b/c!3',
    ],
    ['https://gitlab.com/a/b/c/merge_requests/3', 'pull_request', null, 'a/b/c!3'],
    ['https://gitlab.com/a/b/c/-/tree/main', 'branch', null, 'a/b/c:main'],
    ['https://gitlab.com/a/b/-/commit/0123456', 'commit', null, 'a/b@0123456'],
    ['https://git.example.com:3000/a/b/pulls/7', 'pull_request', null, 'a/b#7'],
    [
      'https://git.example.com/a/b/src/branch/feature/x/',
      'branch',
      '/a/b/src/branch/feature/x',
      'a/b:feature/x',
    ],
    [
      'https://GitHub.com/Acme/Web/tree/Fix/a+b@c',
      'branch',
      '/acme/web/tree/Fix/a%2Bb%40c',
      'Acme/Web:Fix/a+b@c',
    ],
    ['https://github.com/a/b/tree/tree', 'branch', null, 'a/b:tree'],
    ['https://github.com/a/b/tree/100%', 'branch', '/a/b/tree/100%25', 'a/b:100%'],
    ['https://gitlab.com/A/b/C/-/merge_requests/3', 'pull_request', '/a/b/c/-/merge_requests/3', 'A/b/C!3'],
    ['https://github.com/Acme/Web/commit/0123456', 'commit', '/acme/web/commit/0123456', 'Acme/Web@0123456'],
  ])('%s is a %s', (text, kind, path, title) => {
    const { origin, pathname } = new URL(text);
    expect(codeAddressOf(text)).toMatchObject({ kind, url: origin + (path ?? pathname), title });
  });

  it.each([
    'https://github.com/acme/web',
    'https://github.com/acme/web/issues/12',
    'https://github.com/acme/web/pull/0',
    'javascript:alert(1)//a/b/pull/1',
    'https://ada:secret@github.com/acme/web/pull/1',
    'ftp://github.com/acme/web/pull/1',
    'acme/web#12',
    `https://github.com/acme/web/tree/${'x'.repeat(2_000)}`,
    `https://github.com/acme/web/tree/${'+'.repeat(1_900)}`,
    'https://github.com/acme/web/tree/%00',
    'https://github.com/acme/web/tree/a%0Ab',
    'https://gitlab.com/a/b/-/tree/a%7Fb',
    'https://git.example.com/a/b/src/branch/a%C2%85b',
  ])('%s is none', (text) => {
    expect(codeAddressOf(text)).toBeNull();
  });

  it('of a branch that a delivery names is the one that its page has', () => {
    const repositories = {
      github: 'https://github.com/a/b',
      gitlab: 'https://gitlab.com/a/b/c',
      gitea: 'https://x.io/a/b',
    };
    for (const provider of ['github', 'gitlab', 'gitea'] as const) {
      const found = codeAddressOf(branchAddress(provider, repositories[provider], 'fix/a b#1'));
      expect(found).toMatchObject({ kind: 'branch', repository: repositories[provider] });
      expect(found!.title.endsWith(':fix/a b#1')).toBe(true);
    }
  });

  it('of a branch is the same however it was encoded', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'B', '+', '@', '!', '(', ',', '=', '&', '%', '#', ' ', 'é', '😀'),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const name = parts.join('/');
        const pushed = branchAddress('github', 'https://github.com/Acme/Web', name);
        const found = codeAddressOf(pushed)!;
        expect(found.title).toBe(`Acme/Web:${name}`);
        expect(found.url).toBe(branchAddress('github', 'https://github.com/acme/web', name));
        const typed = name.replaceAll(/[%# ]/g, encodeURIComponent);
        expect(codeAddressOf(`https://github.com/ACME/web/tree/${typed}`)!.url).toBe(found.url);
        expect(codeAddressOf(found.url)!.url).toBe(found.url);
      }),
    );
  });

  it('of a repository is compared without regard to case, slash and .git', () => {
    for (const text of [
      'https://GitHub.com/Acme/Web',
      'https://github.com/acme/web/',
      'https://github.com/acme/web.git',
    ])
      expect(repositoryAddressOf(text)).toBe('https://github.com/acme/web');
    for (const text of ['acme/web', 'https://github.com', 'https://github.com/acme'])
      expect(repositoryAddressOf(text)).toBeNull();
  });
});

const inText = (text: string) => issueNumbersIn(text, 'PROJ', { anyCase: false });
const inBranch = (text: string) => issueNumbersIn(text, 'PROJ', { anyCase: true });

describe('the keys in a text', () => {
  it('are found at the boundaries of words, each once, in order', () => {
    expect(inText('PROJ-12 and PROJ-3, then (PROJ-12).')).toEqual([12, 3]);
    expect(inText('Fixes PROJ-7: see_PROJ-8_x')).toEqual([7, 8]);
    expect(inText('XPROJ-1 PROJ-2x PROJ-0 PROJ-01 PROJ- PROJ-1234567890 éPROJ-3 proj-4')).toEqual([]);
    expect(inBranch('ada/proj-12-fix')).toEqual([12]);
    expect(inBranch('myproj-12')).toEqual([]);
  });

  it('are those that were written, whatever stands around them', () => {
    const filler = fc.string({
      unit: fc.constantFrom(' ', '-', '_', '/', '.', '(', '\n', '#', '"', '日', 'a', '1', 'P'),
    });
    const number = fc.integer({ min: 1, max: 999_999_999 });
    fc.assert(
      fc.property(fc.array(fc.tuple(filler, number), { maxLength: 8 }), filler, (parts, end) => {
        const written = parts.map(([before, value]) => `${before} PROJ-${value} `).join('') + end;
        const expected = [...new Set(parts.map(([, value]) => value))];
        expect(inText(written)).toEqual(expected);
        expect(inBranch(written.toLowerCase())).toEqual(expected);
      }),
    );
  });

  it('are never part of a longer word or number', () => {
    const letter = fc.constantFrom('a', 'Z', '7', 'é', 'ß', '日', 'я');
    fc.assert(
      fc.property(letter, fc.integer({ min: 1, max: 999 }), fc.boolean(), (character, value, isBefore) => {
        const text = isBefore ? `${character}PROJ-${value}` : `PROJ-${value}${character}`;
        const digitAfter = !isBefore && /\d/.test(character);
        expect(inText(`x ${text} y`)).toEqual(digitAfter ? [Number(`${value}${character}`)] : []);
      }),
    );
  });

  it('are found in a text of a million characters in one pass', () => {
    expect(inText(`${'PROJ-'.repeat(10_000)} PROJ-5${'x'.repeat(1_000_000)}`)).toEqual([]);
  });
});
