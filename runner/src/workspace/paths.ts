import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-file.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
const MAX_OWN = 16 * 2 ** 20;

/**
 * Returns the path of names below a folder. None of them may lead out of it: neither as a name, nor as a link.
 * @throws {ConfigError}
 */
export function pathBelow(folder: string, ...names: string[]): string {
  let path = folder;
  for (const name of names) {
    if (['', '.', '..'].includes(name) || /[/\\\0]/.test(name))
      throw new ConfigError(`«${name}» is not a name of a file below ${path}.`);
    path = join(path, name);
    if (isLink(path))
      throw new ConfigError(`${path} is a link, which the runner does not follow. Remove it.`);
  }
  return path;
}

/** Makes the folder of that path. @throws {ConfigError} as `pathBelow` does */
export function folderBelow(folder: string, ...names: string[]): string {
  const path = pathBelow(folder, ...names);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Writes a file of the runner itself. A link in its place, which an agent or its repository put there, is an error. */
export const writeOwn = (file: string, text: string): void => put(file, text, O_TRUNC);
export const appendOwn = (file: string, text: string): void => put(file, text, O_APPEND);

const put = (file: string, text: string, how: number): void =>
  withRegular(file, O_WRONLY | O_CREAT | how, (opened) => writeFileSync(opened, text));

/**
 * Reads the beginning of a file of the runner itself, which an agent may have changed. Returns '' where it is gone.
 * @throws {ConfigError} when something else is in its place
 */
export function readOwn(file: string, most = MAX_OWN): string {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return '';
  return withRegular(file, O_RDONLY, (opened) => {
    const bytes = Buffer.alloc(Math.min(most, fstatSync(opened).size));
    return bytes.toString('utf8', 0, readSync(opened, bytes));
  });
}

/**
 * Opens a file that an agent can reach. To open a named pipe in its place would wait for the other end, and all work
 * and heartbeats of the runner with it, so it is opened without waiting.
 */
function withRegular<T>(file: string, how: number, act: (opened: number) => T): T {
  const opened = openSync(file, O_NOFOLLOW | O_NONBLOCK | how, 0o600);
  try {
    if (!fstatSync(opened).isFile()) throw new ConfigError(`${file} is not a file. Remove it.`);
    return act(opened);
  } finally {
    closeSync(opened);
  }
}

/** Whether there is a folder, and no link to one. */
export const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const LONGEST_NAME = 200;
const LONGEST_EXTENSION = 20;

/** Returns a name for a file that somebody else named: of one line, and short enough for every file system. */
export function fileNameOf(name: string): string {
  const plain = name.replaceAll(/[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '_');
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 && plain.length - dot <= LONGEST_EXTENSION ? plain.slice(dot) : '';
  let rest = Array.from(plain.slice(0, plain.length - extension.length));
  while (Buffer.byteLength(rest.join('') + extension) > LONGEST_NAME) rest = rest.slice(0, -1);
  return rest.join('') + extension;
}
