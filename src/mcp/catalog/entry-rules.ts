import { valid, validRange } from 'semver';
import type { FieldError } from '../../platform/http/problem.js';
import type {
  CatalogEntry,
  EnvironmentVariable,
  PackagePin,
  PinnedDistribution,
  StdioEntry,
} from './catalog-entry.js';
import { type Check, launchErrors, remoteErrors, schemaErrors } from './launch-address-and-secret-rules.js';
import { effectiveValue, formatError, templateError } from './variable-values-and-placeholders.js';

/** Names and versions are passed to package managers, so they must not look like an option or a URL. */
const NAMES = {
  npm: /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/i,
  pypi: /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i,
};
const PYPI_VERSION = /^[a-z0-9][a-z0-9.!+_-]*$/i;
const DIGEST_BYTES = { sha256: 32, sha512: 64 };

/** Checks that the package is exact and that the entry has the package's version. */
export function packageErrors(entry: StdioEntry): FieldError[] {
  const { package: pin } = entry.manifest;
  return schemaErrors([
    ...(pin.registry === 'none' ? [] : pinChecks(entry, pin, pin.registry)),
    ['runtimeVersion', isRange(entry.runtimeVersion) ? null : 'must be a semver range such as >=20.10'],
  ]);
}

function pinChecks(entry: StdioEntry, pin: PackagePin, registry: 'npm' | 'pypi'): Check[] {
  const version = pin.version ?? 'unpinned';
  const needsPython = registry === 'pypi' && entry.runtime !== 'python' && entry.runtime !== 'pipx';
  return [
    ['version', entry.version === version ? null : `must be the version of the package, ${version}`],
    [
      'manifest.package.name',
      NAMES[registry].test(pin.name ?? '') ? null : `is not the name of a package of ${registry}`,
    ],
    ['manifest.package.version', isExact(pin) ? null : 'must be one exact version, not a tag or a range'],
    [
      'manifest.package.integrity',
      isDigest(pin.integrity) ? null : 'does not have the length of its algorithm',
    ],
    ...(pin.closure ?? []).map((distribution, index): Check => [
      `manifest.package.closure[${index}]`,
      closureError(pin, distribution, index),
    ]),
    ['runtime', needsPython ? 'must be python or pipx for a package of pypi' : null],
  ];
}

/** Checks what would make pip refuse the lock that is made of the closure, or install another package than it names. */
function closureError(
  { name: own = '', closure }: PackagePin,
  { name, version, files }: PinnedDistribution,
  index: number,
): string | null {
  if (!NAMES.pypi.test(name) || !PYPI_VERSION.test(version))
    return 'must have the name of a package of pypi and one exact version';
  if (normalName(name) === normalName(own ?? '')) return 'is the package itself';
  const first = closure?.findIndex((other) => normalName(other.name) === normalName(name));
  if (first !== index) return `names ${name} again`;
  const foreign = files.find(({ filename }) => !isArchiveOf(filename, name, version));
  return foreign ? `${foreign.filename} is not an archive of ${name} ${version}` : null;
}

function isArchiveOf(filename: string, name: string, version: string): boolean {
  const [stem = ''] = filename.split(version);
  return (
    filename.includes(`-${version}`) &&
    normalName(stem.slice(0, -1)) === normalName(name) &&
    /\.(whl|tar\.gz|zip)$/.test(filename)
  );
}

/** Two names of one package are equal in this form (PEP 503). */
function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

function isRange(range: string | null): boolean {
  return range === null || validRange(range) !== null;
}

function isExact({ registry, version }: PackagePin): boolean {
  if (version === null || version === undefined) return registry === 'pypi';
  return registry === 'npm' ? valid(version) === version : PYPI_VERSION.test(version);
}

function isDigest(integrity: string | null | undefined): boolean {
  if (!integrity) return true;
  const [algorithm, digest] = integrity.split('-');
  return Buffer.from(digest ?? '', 'base64').length === DIGEST_BYTES[algorithm as keyof typeof DIGEST_BYTES];
}

/**
 * Checks the rules that JSON Schema cannot express (the descriptions of catalog-entry.schema.json; contract §3.1) and
 * returns every error in the order of the file.
 */
export function entryErrors(entry: CatalogEntry, fileName: string): FieldError[] {
  const errors: FieldError[] = [];
  if (fileName !== `${entry.id}.json`)
    errors.push({ path: 'id', message: `is '${entry.id}', so the file must be named ${entry.id}.json` });
  const manifest =
    entry.transport === 'stdio' ? [...packageErrors(entry), ...launchErrors(entry)] : remoteErrors(entry);
  return [...errors, ...manifest, ...variableErrors(entry.environmentVariables)];
}

/** Stands for `{dataDir}`; only the form of the path is checked. */
const SAMPLE_FOLDER = '/data';

/** Checks that names are unique, defaults match their format, and `access` is set only for paths that are mounted. */
export function variableErrors(variables: EnvironmentVariable[]): FieldError[] {
  const names = variables.map(({ name }) => name);
  return variables.flatMap((variable, index) => {
    const at = `environmentVariables[${index}]`;
    const checks: Check[] = [
      [`${at}.name`, names.indexOf(variable.name) === index ? null : `${variable.name} is declared twice`],
      [`${at}.pattern`, patternError(variable)],
      [`${at}.default`, defaultError(variable)],
      [`${at}.access`, accessError(variable)],
      [`${at}.searchPaths`, searchPathsError(variable)],
    ];
    return schemaErrors(checks);
  });
}

function defaultError(variable: EnvironmentVariable): string | null {
  if (variable.default === null || patternError(variable)) return null;
  const onlyDataDir = 'may use the placeholder {dataDir} only';
  const error = templateError(variable.default, {
    folder: (folder) => (folder === 'dataDir' ? null : onlyDataDir),
    variable: () => onlyDataDir,
  });
  return error ?? formatError(variable, effectiveValue(variable, {}, SAMPLE_FOLDER) ?? '');
}

/** The schema's format `regex` compiles without the u flag, and some patterns are invalid with it. */
function patternError({ pattern }: EnvironmentVariable): string | null {
  try {
    void new RegExp(pattern ?? '', 'u');
    return null;
  } catch {
    return 'must compile with the u flag';
  }
}

function searchPathsError({ searchPaths, format, default: preset }: EnvironmentVariable): string | null {
  if (!searchPaths || (format === 'filepath' && preset === null)) return null;
  return 'is allowed only with format filepath and without a default';
}

function accessError({ access, format }: EnvironmentVariable): string | null {
  return access === 'write' && format !== 'filepath' ? 'is allowed only with format filepath' : null;
}
