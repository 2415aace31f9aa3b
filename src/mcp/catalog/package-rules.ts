import { valid, validRange } from 'semver';
import type { Fault } from '../../platform/http/problem.js';
import type { PackagePin, StdioEntry } from './catalog-entry.js';
import { faultRows, type Check } from './fault-rows.js';

/** Names and versions are handed to package managers: nothing that one of them would read as an option or a URL. */
const names = {
  npm: /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/i,
  pypi: /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i,
};
const pypiVersion = /^[a-z0-9][a-z0-9.!+_-]*$/i;
const digestBytes = { sha256: 32, sha512: 64 };

/** The package is exact, and the entry's version is its version. */
export function packageFaults(entry: StdioEntry): Fault[] {
  const { package: pin } = entry.manifest;
  return faultRows([
    ...(pin.registry === 'none' ? [] : pinChecks(entry, pin, pin.registry)),
    ['runtimeVersion', isRange(entry.runtimeVersion) ? null : 'must be a semver range such as >=20.10'],
  ]);
}

function pinChecks(entry: StdioEntry, pin: PackagePin, registry: 'npm' | 'pypi'): Check[] {
  const version = pin.version ?? 'unpinned';
  const needsPython = registry === 'pypi' && entry.runtime !== 'python' && entry.runtime !== 'pipx';
  return [
    ['version', entry.version === version ? null : `must be that of the package, ${version}`],
    [
      'manifest.package.name',
      names[registry].test(pin.name ?? '') ? null : `is no name of a package of ${registry}`,
    ],
    ['manifest.package.version', isExact(pin) ? null : 'must be one exact version, no tag and no range'],
    [
      'manifest.package.integrity',
      isDigest(pin.integrity) ? null : 'is not as long as its algorithm makes it',
    ],
    ['runtime', needsPython ? 'must be python or pipx for a package of pypi' : null],
  ];
}

function isRange(range: string | null): boolean {
  return range === null || validRange(range) !== null;
}

function isExact({ registry, version }: PackagePin): boolean {
  if (version === null || version === undefined) return registry === 'pypi';
  return registry === 'npm' ? valid(version) === version : pypiVersion.test(version);
}

function isDigest(integrity: string | null | undefined): boolean {
  if (!integrity) return true;
  const [algorithm, digest] = integrity.split('-');
  return Buffer.from(digest ?? '', 'base64').length === digestBytes[algorithm as keyof typeof digestBytes];
}
