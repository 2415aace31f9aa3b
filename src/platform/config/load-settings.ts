import { basename, dirname, join } from 'node:path';
import { databaseWarnings } from './database-tls.js';
import { fileSettingOf, isSecretSetting, SecretFiles, secretFileSettings } from './secret-files.js';
import type { ParentChannel } from './parent-channel.js';
import { isLoopback, SettingsError } from './setting-rules.js';
import { Settings } from './settings.js';
import { settingsSchema, type SettingValues } from './settings.schema.js';

/** Names as short as PORT and HOST have too many neighbours, such as PATH and HOME, for a distance of two. */
const SHORT_NAME = 7;

/**
 * Returns the known name that a name was probably meant to be, or null when it is known or resembles none. The letter
 * case does not count. The first letter must be right: SSL_CERT_FILE, which OpenSSL reads, is not TLS_CERT_FILE.
 */
export function nearMiss(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  const written = name.toUpperCase();
  const farFrom = (other: string) => distance(written, other.toUpperCase());
  const near = known.filter(
    (other) =>
      other[0]?.toUpperCase() === written[0] && farFrom(other) <= (other.length < SHORT_NAME ? 1 : 2),
  );
  return near.toSorted((a, b) => farFrom(a) - farFrom(b))[0] ?? null;
}

/** Returns how many characters must be inserted, deleted, replaced or swapped with their neighbour. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return Infinity;
  let [before, row]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[line - 1] === to[column - 1];
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next.push(
        Math.min(
          row![column]! + 1,
          next[column - 1]! + 1,
          row![column - 1]! + (isSame ? 0 : 1),
          isSwapped && line > 1 ? before![column - 2]! + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row!.at(-1)!;
}

const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Returns one sentence for each way in which HOST makes the service unsafe or hard to reach. */
export function addressWarnings(values: SettingValues): string[] {
  const { HOST: host, PUBLIC_URL: publicUrl, TLS_CERT_FILE: tls, TRUSTED_PROXIES: proxies } = values;
  const warnings: string[] = [];
  if (!isLoopback(host) && !tls && proxies.length === 0)
    warnings.push(
      `HOST=${host} accepts plain HTTP from other hosts, where keys and passwords travel unencrypted. Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES when a proxy in front provides HTTPS.`,
    );
  if (EVERY_ADDRESS.includes(host) && !publicUrl)
    warnings.push(
      `PUBLIC_URL is not set while HOST=${host} listens on every address, so agents receive a loopback address to connect to. Set PUBLIC_URL to the address under which clients reach the service.`,
    );
  return warnings;
}

/**
 * The environment as the service found it, for those who start other people's programs and have to hand on a
 * PATH, a proxy or a package manager's configuration. They pick from it by name: the rest may hold secrets.
 */
export function hostVariables(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Read before `.env` is. */
const GIVEN = new Set(Object.keys(process.env));

/** The variables that this process has from `.env` alone, which a process that it starts reads again. */
export function addedByEnvFile(): string[] {
  return Object.keys(process.env).filter((name) => !GIVEN.has(name));
}

/** Variables that were renamed: the old name is still accepted. */
const RENAMED = { MCP_ALLOWED_HOSTS: 'OUTBOUND_ALLOWED_HOSTS' };

/** Beside the folder of the build. */
const ROOT = join(import.meta.dirname, '../../../..');

/** An installed package is replaced with each version, so what belongs to the operator lies where the service is started. */
const isInstalledPackage = basename(dirname(ROOT)) === 'node_modules';

const ENV_FILE = join(isInstalledPackage ? process.cwd() : ROOT, '.env');

/** The name says to people whose folder it is. */
const DEFAULTS = isInstalledPackage ? { DATA_DIR: './awp-data' } : {};

/**
 * Reads the settings from an environment, by default that of the process completed by `.env`. A variable that is set
 * but empty counts as not set. Secrets may be in files that variables name (contract §9).
 * @param parent the supervisor of this process, where a start is divided among several
 * @throws {SettingsError} with one line per invalid setting, never with a value that may be a secret
 */
export function loadSettings(
  environment: NodeJS.ProcessEnv = completeEnvironment(),
  parent: ParentChannel | null = null,
): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const warnings = [...acceptOldNames(given), ...misspeltNames(given)];
  const { files, problems } = SecretFiles.read(given);
  const parsed = settingsSchema.safeParse({ ...DEFAULTS, ...given, ...files.values });
  if (parsed.success && problems.size === 0) {
    const further = [...addressWarnings(parsed.data), ...databaseWarnings(parsed.data, given)];
    return new Settings(parsed.data, [...warnings, ...further], files, parent);
  }
  // A setting whose file cannot be used is not missing as well.
  const isReported = (name: string) => isSecretSetting(name) && problems.has(name);
  const nameOf = (name: string) => (isSecretSetting(name) && files.has(name) ? fileSettingOf(name) : name);
  const lines = [
    ...[...problems.values()].map(({ message }) => `  ${message}`),
    ...(parsed.error?.issues ?? [])
      .map(({ path, message }) => ({ name: path.join('.'), message }))
      .filter(({ name }) => !isReported(name))
      .map(({ name, message }) => `  ${nameOf(name)}: ${message}`),
  ];
  throw new SettingsError(
    [`The settings have ${lines.length} error(s):`, ...lines, ...warnings.map((line) => `  ${line}`)].join(
      '\n',
    ),
  );
}

/** Adds the variables of `.env` to those of the process. A variable of the process wins, also when it is empty. */
function completeEnvironment(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new SettingsError(
        `The file ${ENV_FILE} cannot be read (${code}): give the user of the service access to it, or remove it.`,
      );
  }
  return process.env;
}

/** Moves values to the new names of their variables, and returns one warning per old name. */
function acceptOldNames(given: Record<string, string | undefined>): string[] {
  return Object.entries(RENAMED).flatMap(([oldName, name]) => {
    if (given[oldName] === undefined) return [];
    if (given[name] !== undefined)
      return [`${oldName} is ignored because ${name} is set. Remove ${oldName} from the environment.`];
    given[name] = given[oldName];
    return [`${oldName} is now called ${name}. Rename it; a later version will not read the old name.`];
  });
}

/** Returns one warning per variable whose name is almost that of a setting which is not set. */
function misspeltNames(given: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(settingsSchema.shape), ...secretFileSettings, ...Object.keys(RENAMED)];
  return Object.keys(given).flatMap((name) => {
    const meant = nearMiss(name, known);
    return meant === null || given[meant] !== undefined
      ? []
      : [`${name} is not a setting and is ignored. Did you mean ${meant}?`];
  });
}

/**
 * Returns the form of the log for what happens before the settings are read, or where they cannot be: that of LOG_FORMAT in
 * the environment, json for any other value (contract §8.1).
 */
export function logFormatOf(environment: NodeJS.ProcessEnv = process.env): 'json' | 'text' {
  return environment['LOG_FORMAT'] === 'text' ? 'text' : 'json';
}
