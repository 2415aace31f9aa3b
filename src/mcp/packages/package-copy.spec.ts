import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyPackage, filesOf, PackageAltered } from './package-copy.js';

let folder: string;
let from: string;
let to: string;
const never = new AbortController().signal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'awp-copy-'));
  [from, to] = [join(folder, 'from'), join(folder, 'elsewhere', 'to')];
  mkdirSync(join(from, 'bin'), { recursive: true });
  writeFileSync(join(from, 'bin', 'program'), `#!${from}/bin/python\n`);
  chmodSync(join(from, 'bin', 'program'), 0o755);
  writeFileSync(join(from, 'compiled.pyc'), Buffer.from(`\0${from}\0`));
  symlinkSync('../lib', join(from, 'bin', 'relative'));
  symlinkSync(join(from, 'bin', 'program'), join(from, 'bin', 'absolute'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the copy of a package', () => {
  it('has the same files, modes and times, and names its own folder', async () => {
    const files = await copyPackage(await filesOf(from), from, to, { signal: never });
    expect(readFileSync(join(to, 'bin', 'program'), 'utf8')).toBe(`#!${to}/bin/python\n`);
    expect(statSync(join(to, 'bin', 'program')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(to, 'bin', 'relative'))).toBe('../lib');
    expect(readlinkSync(join(to, 'bin', 'absolute'))).toBe(join(to, 'bin', 'program'));
    const [old, copy] = [from, to].map((path) => statSync(join(path, 'compiled.pyc')));
    expect(Math.abs(old!.mtimeMs - copy!.mtimeMs)).toBeLessThan(1);
    expect(files.toSorted(byPath)).toEqual(
      (await filesOf(to))
        .toSorted(byPath)
        .map((file) => ('link' in file ? file : { ...file, mtimeMs: expect.any(Number) })),
    );
  });

  it('leaves binary files as they are', async () => {
    await copyPackage(await filesOf(from), from, to, { signal: never });
    expect(readFileSync(join(to, 'compiled.pyc'))).toEqual(readFileSync(join(from, 'compiled.pyc')));
  });

  it('fails if a file has changed since, and has no file that was added', async () => {
    const files = await filesOf(from);
    writeFileSync(join(from, 'added'), '');
    await copyPackage(files, from, to, { signal: never });
    expect((await filesOf(to)).map(({ path }) => path)).not.toContain('added');
    writeFileSync(join(from, 'bin', 'program'), 'altered');
    await expect(copyPackage(files, from, join(folder, 'third'), { signal: never })).rejects.toThrow(
      PackageAltered,
    );
  });

  it('ends with the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('the caller left'));
    await expect(copyPackage(await filesOf(from), from, to, { signal })).rejects.toThrow('the caller left');
  });
});

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
