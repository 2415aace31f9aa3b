import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError } from '../exit/exit-codes.js';
import { settingsSchema, type SettingValues } from './settings.schema.js';

/**
 * The settings that hold a secret (contract §9). Each may be in a file instead, which the setting `NAME_FILE` names:
 * systemd (LoadCredential), Docker and Kubernetes hand secrets to a service as files.
 */
export const secretSettings = [
  'INTERNAL_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'BOOTSTRAP_OWNER_PASSWORD',
  'BOOTSTRAP_OWNER_API_KEY',
  'ENCRYPTION_KEYS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OIDC_CLIENT_SECRET',
] as const satisfies readonly (keyof SettingValues)[];

export type SecretSetting = (typeof secretSettings)[number];

/** The secrets that only the first start uses, so that a running service never needs them again. */
const START_ONLY: readonly SecretSetting[] = ['BOOTSTRAP_OWNER_PASSWORD', 'BOOTSTRAP_OWNER_API_KEY'];

/** Whether a running service uses the secret, so that it reads the file again (contract §8.6). */
export function isUsedInOperation(name: SecretSetting): boolean {
  return !START_ONLY.includes(name);
}

/** Returns the name of the setting that names the file of a secret. */
export function fileSettingOf(name: SecretSetting): `${SecretSetting}_FILE` {
  return `${name}_FILE`;
}

/** The names of all settings that name the file of a secret. TLS_KEY_FILE and the like are settings of their own. */
export const secretFileSettings: readonly string[] = secretSettings.map(fileSettingOf);

/** Whether the setting holds a secret that may be in a file. */
export function isSecretSetting(name: string): name is SecretSetting {
  return (secretSettings as readonly string[]).includes(name);
}

const MAX_KIB = 64;
const ALONE = 'Name a file that holds the value alone';

/** The file of a secret cannot be used (contract §9). Its message has the setting and the path, and never the value. */
export class SecretFileError extends ConfigurationError {
  /** The setting that names the file, such as DATABASE_URL_FILE. */
  readonly setting: string;

  /** @param problem what is wrong with the file, and what to do, without the point at the end */
  constructor(
    readonly secret: SecretSetting,
    readonly problem: string,
  ) {
    const setting = fileSettingOf(secret);
    super(`${setting}: ${problem}.`);
    this.setting = setting;
  }
}

/**
 * Returns the content of the file of a secret without one line break at its end, as editors and `echo` write it.
 * @throws {SecretFileError} when it cannot be read, is not a regular file, is empty or larger than 64 KiB
 */
export function readSecretFile(name: SecretSetting, path: string): string {
  const text = readRegularFile(name, path).replace(/\r?\n$/, '');
  if (text === '') throw new SecretFileError(name, `${path} is empty. Write the value into it`);
  return text;
}

function readRegularFile(name: SecretSetting, path: string): string {
  try {
    // Non-blocking: opening a named pipe would wait for its other end for ever.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      refuseUnfit(name, path, descriptor);
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SecretFileError(
      name,
      `${path} cannot be read (${code}). Name an existing file that the user of the service can read`,
    );
  }
}

/** Checks the opened file, not its name: the name may lead to another file between the check and the read. */
function refuseUnfit(name: SecretSetting, path: string, descriptor: number): void {
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) throw new SecretFileError(name, `${path} is a folder. ${ALONE}`);
  if (!stats.isFile()) throw new SecretFileError(name, `${path} is not a regular file. ${ALONE}`);
  if (stats.size > MAX_KIB * 1024)
    throw new SecretFileError(name, `${path} is larger than ${MAX_KIB} KiB. ${ALONE}`);
}

type Given = Readonly<Record<string, string | undefined>>;

/** The file of a secret, with the value that was last read and can be used. */
interface SecretFile {
  path: string;
  value: string;
}

/** Who learns of what is read outside of a start, such as the log. */
interface Reports {
  /** @param setting the one that names the file */
  changed(setting: string): void;
  failed(error: SecretFileError): void;
}

/** What `SecretFiles.read` found. */
interface ReadSecretFiles {
  files: SecretFiles;
  /** One line per file that cannot be used, by the setting that is not set because of it. */
  problems: ReadonlyMap<SecretSetting, SecretFileError>;
}

/**
 * The secrets that are in files, with their present values (contract §9). A file that cannot be used any more changes
 * nothing: the value that was last read stays.
 */
export class SecretFiles {
  /** Learns of changes and problems that `latest` and `look` find, each problem once. */
  reports: Reports = { changed: () => undefined, failed: () => undefined };
  private readonly reported = new Map<SecretSetting, string>();

  private constructor(private readonly files: ReadonlyMap<SecretSetting, SecretFile>) {}

  /** The secrets of a process that has none of them in a file. */
  static none(): SecretFiles {
    return new SecretFiles(new Map());
  }

  /** Reads every file that a setting names. The values are not checked yet. */
  static read(given: Given): ReadSecretFiles {
    const files = new Map<SecretSetting, SecretFile>();
    const problems = new Map<SecretSetting, SecretFileError>();
    for (const name of secretSettings)
      try {
        const file = fileOf(name, given);
        if (file) files.set(name, file);
      } catch (error) {
        if (!(error instanceof SecretFileError)) throw error;
        problems.set(name, error);
      }
    return { files: new SecretFiles(files), problems };
  }

  /** The secrets that are in files, in the order of the list. */
  get names(): SecretSetting[] {
    return [...this.files.keys()];
  }

  /** The absolute paths of the files, which no MCP server may see. */
  get paths(): string[] {
    return [...this.files.values()].map(({ path }) => path);
  }

  /** The values by the names of their settings. */
  get values(): Record<string, string> {
    return Object.fromEntries([...this.files].map(([name, { value }]) => [name, value]));
  }

  /** Whether the secret is in a file. */
  has(name: SecretSetting): boolean {
    return this.files.has(name);
  }

  /** Returns the value that was last read; null where the secret is not in a file. */
  present(name: SecretSetting): string | null {
    return this.files.get(name)?.value ?? null;
  }

  /** Reads the file again and returns its value, or the former one where it cannot be used; null without a file. */
  latest(name: SecretSetting): string | null {
    this.look(name);
    return this.present(name);
  }

  /** Reads these files again, for a secret that was refused. Returns whether one of the values has changed. */
  look(...names: SecretSetting[]): boolean {
    return names.map((name) => this.lookAt(name)).includes(true);
  }

  /**
   * Reads one file again. Returns whether the value has changed.
   * @throws {SecretFileError} when the file or its value cannot be used; the former value stays
   */
  renew(name: SecretSetting): boolean {
    const file = this.files.get(name);
    if (!file) return false;
    const value = readSecretFile(name, file.path);
    if (value === file.value) return false;
    refuseUnusable(name, file.value, value);
    file.value = value;
    return true;
  }

  /** Returns a message about settings with the names of those that name the files, where the secrets are in files. */
  named(message: string): string {
    return this.names.reduce(
      (text, name) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), fileSettingOf(name)),
      message,
    );
  }

  private lookAt(name: SecretSetting): boolean {
    try {
      const hasChanged = this.renew(name);
      this.reported.delete(name);
      if (hasChanged) this.reports.changed(fileSettingOf(name));
      return hasChanged;
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      if (this.reported.get(name) !== error.message) this.reports.failed(error);
      this.reported.set(name, error.message);
      return false;
    }
  }
}

/** Returns null where no file is named. */
function fileOf(name: SecretSetting, given: Given): SecretFile | null {
  const named = given[fileSettingOf(name)];
  if (named === undefined) return null;
  if (given[name] !== undefined) throw new SecretFileError(name, `and ${name} exclude each other; set one`);
  const path = resolve(named);
  return { path, value: readSecretFile(name, path) };
}

/** Checks a new value by the rule of its setting. What else the setting decides at the start cannot change with it. */
function refuseUnusable(name: SecretSetting, former: string, value: string): void {
  const { error } = settingsSchema.shape[name].safeParse(value);
  if (error) throw new SecretFileError(name, error.issues.map(({ message }) => message).join('; '));
  if (name !== 'DATABASE_URL' && name !== 'DATABASE_DIRECT_URL') return;
  if (placeOf(former) !== placeOf(value))
    throw new SecretFileError(
      name,
      'names another server, database or parameter than at the start. Restart the service to use it',
    );
}

/** Returns a URL of a database without its user and password. */
function placeOf(databaseUrl: string): string {
  // A URL without a host, as for a socket, is valid for PostgreSQL only.
  const url = new URL(databaseUrl.replace(/^postgresql:/, 'postgres:').replace(/@\//, '@localhost/'));
  url.username = '';
  url.password = '';
  for (const name of ['user', 'password']) url.searchParams.delete(name);
  return url.href;
}
