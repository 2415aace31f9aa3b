import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes node_modules/.package-lock.json last, so
 * an install that was killed has none; packages for other platforms are optional and missing from it.
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

/** With the packages that the build needs, also under NODE_ENV=production; none of them needs its install script. */
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
