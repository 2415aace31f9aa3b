import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';

/**
 * Returns whether node_modules matches package-lock.json. npm writes node_modules/.package-lock.json last, so an
 * interrupted install has none. Packages for other platforms are optional and missing from it.
 */
export function isInstalled() {
  const installed = packagesOf(inRoot('node_modules', '.package-lock.json'));
  if (!installed) return false;
  return Object.entries(packagesOf(inRoot('package-lock.json')) ?? {}).every(([path, wanted]) => {
    const found = installed[path];
    if (path === '' || (!found && wanted.optional)) return true;
    return found?.version === wanted.version && found?.integrity === wanted.integrity;
  });
}

/** Installs development packages too, even under NODE_ENV=production: the build needs them. None needs install scripts. */
export async function install() {
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  await (npm?.endsWith('npm-cli.js') ? mustRun(process.execPath, [npm, ...args]) : mustRun('npm', args));
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
