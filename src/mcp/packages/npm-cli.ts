import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { PackageUnavailable } from './packages.errors.js';

/**
 * Finds the npm that belongs to the running Node: beside its binary, as in every distribution of Node, or else on the
 * PATH if that is npm itself and not a wrapper in another language.
 * @returns the path of npm-cli.js, which the running Node executes
 * @throws {PackageUnavailable} when this host has no npm
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
    // A candidate that does not exist cannot matter: the next one is tried.
    const file = await realpath(candidate).catch(() => null);
    if (file?.endsWith('npm-cli.js')) return file;
  }
  throw new PackageUnavailable(
    'npm was not found beside Node or on the PATH of the service. Install it and try again.',
  );
}
