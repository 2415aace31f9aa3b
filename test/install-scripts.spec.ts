import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Manifest {
  allowScripts?: Record<string, boolean>;
  scarfSettings?: { enabled: boolean };
}
interface Lockfile {
  packages: Record<
    string,
    { hasInstallScript?: boolean; integrity?: string; link?: boolean; resolved?: string }
  >;
}

const REGISTRY = 'https://registry.npmjs.org/';

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8');
const lockOf = (folder: string) => (JSON.parse(read(`${folder}/package-lock.json`)) as Lockfile).packages;
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/** The imports of packages of a script, and of all that it imports, but not those that it loads later. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = [...read(file).matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)].map(
    ([, path]) => path!,
  );
  return imports.flatMap((path) => {
    if (path.startsWith('.')) return packagesOf(join(dirname(file), path), seen);
    return path.startsWith('node:') ? [] : [`${file}: ${path}`];
  });
}

describe('the scripts that install packages', () => {
  it.each(['start', 'test', 'prepare', 'demo', 'runner', 'doctor'])('need none to begin (%s)', (name) => {
    expect(packagesOf(`scripts/${name}.mjs`)).toEqual([]);
  });
});

it('the setup makes the links of the embedded PostgreSQL, which the user of the service could not make', () => {
  // The systemd unit and the image run the setup as root, and the service as a user who cannot write there.
  expect(read('scripts/prepare.mjs')).toMatch(
    /^await prepareCheckout\(.*\);$[^]*^await findPostgresBinaries\(\)/m,
  );
  expect(read('deploy/agent-work-platform.service')).toMatch(/^#.* npm run setup\b/m);
  expect(read('Dockerfile')).toMatch(/^ && node_modules\/\.bin\/awp setup$/m);
});

describe('the packages that this project depends on', () => {
  it('run no install scripts', () => {
    const { allowScripts = {}, scarfSettings } = JSON.parse(read('package.json')) as Manifest;
    const withScripts = Object.entries(lockOf('.')).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = withScripts.map(([path]) => nameOf(path));
    expect(names.filter((name) => allowScripts[name] !== false)).toEqual([]);
    expect(Object.values(allowScripts)).not.toContain(true);
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(scarfSettings).toEqual({ enabled: false });
    for (const folder of ['dashboard', 'runner'])
      expect(Object.values(lockOf(folder)).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
  });

  it.each(['.', 'dashboard', 'runner'])('are pinned by SHA-512 and come from the registry (%s)', (folder) => {
    const fetched = Object.entries(lockOf(folder)).filter(
      ([path, { link }]) => nameOf(path) !== path && !link,
    );
    expect(fetched.length).toBeGreaterThan(0);
    const elsewhere = fetched.filter(
      ([, { integrity, resolved }]) =>
        !integrity?.startsWith('sha512-') || !(resolved ?? REGISTRY).startsWith(REGISTRY),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });
});
