import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { ConfigurationError } from '../exit/exit-codes.js';
import { fileSettingOf, type SecretSetting } from './secret-settings.js';

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
