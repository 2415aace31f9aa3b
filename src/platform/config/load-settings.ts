import { join } from 'node:path';
import { ConfigurationError } from '../exit/exit-codes.js';
import { addressWarnings } from './address-warnings.js';
import { databaseWarnings } from './database-tls.js';
import { nearMiss } from './near-misses.js';
import { SecretFiles } from './secret-files.js';
import { fileSettingOf, isSecretSetting, secretFileSettings } from './secret-settings.js';
import { Settings } from './settings.js';
import { settingsSchema } from './settings.schema.js';

/** Variables that were renamed: the old name is still accepted. */
const RENAMED = { MCP_ALLOWED_HOSTS: 'OUTBOUND_ALLOWED_HOSTS' };

/** Beside package.json, which lies beside the folder of the build. */
const ENV_FILE = join(import.meta.dirname, '../../../../.env');

/** Names every invalid setting in one message. */
export class SettingsError extends ConfigurationError {}

/**
 * Reads the settings from an environment, by default that of the process completed by `.env`. A variable that is set
 * but empty counts as not set. Secrets may be in files that variables name (contract §9).
 * @throws {SettingsError} with one line per invalid setting, never with a value that may be a secret
 */
export function loadSettings(environment: NodeJS.ProcessEnv = completeEnvironment()): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const warnings = [...acceptOldNames(given), ...misspeltNames(given)];
  const { files, problems } = SecretFiles.read(given);
  const parsed = settingsSchema.safeParse({ ...given, ...files.values });
  if (parsed.success && problems.size === 0) {
    const further = [...addressWarnings(parsed.data), ...databaseWarnings(parsed.data, given)];
    return new Settings(parsed.data, [...warnings, ...further], files);
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
