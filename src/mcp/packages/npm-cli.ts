import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { PackageUnavailable } from './packages.errors.js';

/**
 * The npm that belongs to the running Node: beside its binary, as all distributions of Node have it, else the
 * one on the PATH, as long as that is npm itself and no wrapper in another language.
 * @returns the path of npm-cli.js, to be run with the running Node
 * @throws {PackageUnavailable} when this host has none
 */
export async function findNpmCli(path: string, node = process.execPath): Promise<string> {
  const beside = dirname(await realpath(node));
  const candidates = [
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...path
      .split(':')
      .filter(isAbsolute)
      .map((folder) => join(folder, 'npm')),
  ];
  for (const candidate of candidates) {
    const file = await realpath(candidate).catch(() => null);
    if (file?.endsWith('npm-cli.js')) return file;
  }
  throw new PackageUnavailable(
    'npm was not found beside Node or on the PATH of the service: install it and try again.',
  );
}
