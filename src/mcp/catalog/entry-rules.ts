import { valid, validRange } from 'semver';
import type { FieldError } from '../../platform/http/problem.js';
import type {
  CatalogEntry,
  PackagePin,
  PinnedDistribution,
  RemoteEntry,
  RemoteOauth,
  StdioEntry,
} from './catalog-entry.js';
import { type Check, launchErrors, schemaErrors, variableErrors } from './launch-rules.js';
import { declared, type Folder, templateError } from './placeholders.js';

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

/** Matches a placeholder that is a whole host, port, path segment or query value of an address. */
const WHOLE_PART = /[/:=]\{env:[^{}]*\}(?=[/:?&#]|$)/g;
const ANY_PLACEHOLDER = /\{[^{}]*\}/g;

/**
 * Checks that address and headers use declared variables, and that those of the address are not secret and always have
 * a value.
 */
export function remoteErrors(entry: RemoteEntry): FieldError[] {
  const { url, headers } = entry.manifest;
  const checks: Check[] = [
    ['manifest.url', urlError(entry, url)],
    ...Object.entries(headers).map(([name, value]): Check => [
      `manifest.headers.${name}`,
      headerError(entry, value),
    ]),
    ...oauthChecks(entry),
  ];
  return schemaErrors(checks);
}

function urlError(entry: RemoteEntry, url: string): string | null {
  const error = templateError(url, {
    folder: noFolders,
    variable: declared(entry.environmentVariables, (variable) => {
      if (variable.isSecret || variable.format === 'file')
        return 'which is secret: addresses are logged on the way, so send it in a header';
      if (!variable.isRequired && variable.default === null)
        return 'which must then be required or have a default';
      return null;
    }),
  });
  return error ?? placementError(url);
}

function placementError(url: string): string | null {
  if (url.match(WHOLE_PART)?.length !== url.match(ANY_PLACEHOLDER)?.length)
    return 'may contain a placeholder only as a whole host, port, path segment or query value';
  const sample = url.replace(/:\{env:[^{}]*\}/g, ':1').replace(ANY_PLACEHOLDER, 'x');
  if (!URL.canParse(sample)) return 'is not an address';
  const { username, password } = new URL(sample);
  return username || password ? 'must not contain a user or password: send them in a header' : null;
}

function headerError(entry: RemoteEntry, value: string): string | null {
  if (/[\r\n\0]/.test(value)) return 'must not contain line breaks or NUL';
  return templateError(value, {
    folder: noFolders,
    variable: declared(entry.environmentVariables, ({ format }) =>
      format === 'file' ? 'which is a file: only a stdio server can read it' : null,
    ),
  });
}

function oauthChecks(entry: RemoteEntry): Check[] {
  const { oauth } = entry.manifest;
  if (!oauth) return [];
  const { clientId = null, clientSecret = null, privateKey = null } = { privateKey: null, ...oauth };
  return [
    ['manifest.oauth', clientError(oauth.grant, clientId, clientSecret, privateKey)],
    [
      'manifest.headers',
      setsAuthorization(entry) ? 'must not set Authorization, which carries the access token' : null,
    ],
    ['manifest.oauth.clientId', clientId === null ? null : headerError(entry, clientId)],
    ['manifest.oauth.clientSecret', clientSecret === null ? null : secretError(entry, clientSecret)],
    ['manifest.oauth.privateKey', privateKey === null ? null : secretError(entry, privateKey)],
  ];
}

function clientError(
  grant: RemoteOauth['grant'],
  clientId: string | null,
  clientSecret: string | null,
  privateKey: string | null,
): string | null {
  if (grant === 'client_credentials') {
    if (clientId === null) return 'needs clientId';
    return (clientSecret === null) === (privateKey === null)
      ? 'needs either clientSecret or privateKey'
      : null;
  }
  if (privateKey !== null) return 'must not have privateKey with the grant authorization_code';
  return clientSecret !== null && clientId === null ? 'needs clientId beside clientSecret' : null;
}

/** Whether the entry authenticates its requests itself, so that no access token can be sent. */
export function setsAuthorization({ manifest: { headers } }: RemoteEntry): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** An entry is read by many people, so it holds no secret itself. */
function secretError({ environmentVariables }: RemoteEntry, template: string): string | null {
  const name = /^\{env:([^{}]*)\}$/.exec(template)?.[1];
  const variable = environmentVariables.find((candidate) => candidate.name === name);
  return variable?.isSecret ? null : 'must be {env:NAME} of a variable that is secret';
}

function noFolders(folder: Folder): string {
  return `may not use {${folder}}: a remote server has no folder here`;
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
