import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';

/** The packages that `npm start` needs: `dependencies`, among them the compiler. */
export const FOR_START = ['--omit=dev'];
/** Every package: tests and checks need them, under NODE_ENV=production too. */
export const FOR_ALL = ['--include=dev'];

/**
 * Returns whether node_modules has the packages of package-lock.json. Development packages may be missing when they
 * are not asked for, and packages for other platforms are optional. npm writes node_modules/.package-lock.json last, so an
 * interrupted install has none.
 */
export function isInstalled(scope) {
  const installed = packagesOf(inRoot('node_modules', '.package-lock.json'));
  if (!installed) return false;
  return Object.entries(packagesOf(inRoot('package-lock.json')) ?? {}).every(([path, wanted]) => {
    const found = installed[path];
    if (path === '' || (!found && mayBeMissing(wanted, scope))) return true;
    return found?.version === wanted.version && found?.integrity === wanted.integrity;
  });
}

function mayBeMissing({ optional, dev, devOptional }, scope) {
  return optional || (scope === FOR_START && (dev || devOptional));
}

/** Installs the packages of a scope. None needs install scripts. */
export async function install(scope) {
  const args = ['ci', ...scope, '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
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
