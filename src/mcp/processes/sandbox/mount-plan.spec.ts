import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leadsAway } from './mount-plan.js';

let root: string;
const at = (...names: string[]) => join(root, ...names);
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'awp-paths-')));
  for (const folder of ['data/keys', 'work/sub', 'other']) mkdirSync(at(folder), { recursive: true });
  for (const file of ['data/keys/ring.json', 'work/config', 'other/file']) writeFileSync(at(file), 'x');
  symlinkSync(at('data/keys/ring.json'), at('work/to-ring'));
  symlinkSync(at('other'), at('work/to-other'));
  symlinkSync(at('work/sub'), at('work/to-sub'));
  symlinkSync(at('work'), at('link-of-admin'));
  symlinkSync(root, at('other/to-root'));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the paths of a server', () => {
  const check = (readOnly: string[], writable: string[]) =>
    leadsAway(
      { readOnlyPaths: readOnly.map((path) => at(path)), writablePaths: writable.map((path) => at(path)) },
      [at('data')],
    );

  it.each<[string, string[], string[]]>([
    ['files and folders', ['work/config'], ['work', 'work/sub', 'other']],
    ['a folder that a link of an admin names', ['link-of-admin/config'], ['link-of-admin']],
    ['a link that stays in the writable folder', ['work/to-sub'], ['work']],
    ['a file that is not there yet', [], ['work/new.db']],
    ['a folder around the data folder, which is hidden in it', ['.'], []],
  ])('may name %s', (_, readOnly, writable) => {
    expect(check(readOnly, writable)).toBe(false);
  });

  it.each<[string, string[], string[]]>([
    ['to the key ring', ['work/to-ring'], []],
    ['to the key ring from a folder that it writes', ['work/to-ring'], ['work']],
    ['out of a folder that it writes', ['work/to-other/file'], ['work']],
    ['out of a folder that it writes, to write', [], ['work', 'work/to-other']],
    ['to a folder around the data folder', ['other/to-root'], []],
  ])('may not lead by a link %s', (_, readOnly, writable) => {
    expect(check(readOnly, writable)).toBe(true);
  });
});
