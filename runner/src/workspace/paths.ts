import { closeSync, constants, lstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-file.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

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

function put(file: string, text: string, how: number): void {
  const opened = openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW | how, 0o600);
  try {
    writeFileSync(opened, text);
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
