import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { NOT_INSTALLED, build, common } from '../build/bundle.mjs';
import { IN_A_CHECKOUT } from './bundle-commands.mjs';
import { inRoot } from '../paths.mjs';

const jsonOf = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'));

/** What the packages of this project have in common: the version is one, and so is the licence. */
export function commonManifest() {
  const { version, license, engines } = jsonOf('package.json');
  return { version, license, type: 'module', engines };
}

/** Returns the packages that files import, with the exact versions that a lock file has, and fails for one that it has not. */
export async function importedPackages(files, lockFile = 'package-lock.json') {
  const { metafile } = await build({
    ...common,
    entryPoints: files,
    packages: 'external',
    external: [...NOT_INSTALLED, ...IN_A_CHECKOUT],
    outdir: inRoot('.tmp/imports'),
    write: false,
    metafile: true,
  });
  const paths = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external, path }) => external && /^[@a-z]/.test(path)).map(({ path }) => path),
  );
  const locked = jsonOf(lockFile).packages;
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const inBundle = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, name]) => name),
    ),
  );
  const required = texts
    .flatMap(requiredBy)
    .filter((name) => locked[`node_modules/${name}`] && !inBundle.has(name));
  const names = [...new Set([...paths, ...required].filter((path) => !isBuiltin(path)).map(packageOf))];
  return Object.fromEntries(
    names
      .filter((name) => !isNotInstalled(name))
      .toSorted()
      .map((name) => [name, versionOf(locked, name)]),
  );
}

/** Returns the packages of one scope in the lock file: those for each platform, of which npm installs the fitting one. */
export function platformPackages(scope, lockFile = 'package-lock.json') {
  const prefix = `node_modules/${scope}/`;
  const found = Object.entries(jsonOf(lockFile).packages).filter(([path]) => path.startsWith(prefix));
  return Object.fromEntries(
    found.map(([path, { version }]) => [path.slice('node_modules/'.length), version]),
  );
}

/**
 * The packages that the CommonJS code of a bundle asks for by a `require` of its own, which esbuild does not follow. Those that are in
 * the bundle are asked for by generated code that never runs here, and those that the lock file lacks are optional.
 */
function requiredBy(text) {
  const found = text.matchAll(/(?:\b|__)require(?:\.resolve)?\(\s*["']([@a-z][^"':]*)["']/g);
  return [...found].map(([, path]) => packageOf(path));
}

const packageOf = (path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0];

function isNotInstalled(name) {
  return NOT_INSTALLED.some((one) => packageOf(one).replace('*', '') === name || matches(one, name));
}

const matches = (pattern, name) => pattern.endsWith('/*') && name.startsWith(pattern.slice(0, -1));

function versionOf(locked, name) {
  const found = locked[`node_modules/${name}`];
  if (!found) throw new Error(`A file of the package imports ${name}, which package-lock.json does not have`);
  return found.version;
}
