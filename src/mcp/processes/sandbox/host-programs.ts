import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_PATH } from './child-path.js';

/**
 * Programs of util-linux, coreutils and bubblewrap that wrap a child. Each one executes the rest of its arguments in
 * its place.
 */
export type HostProgram =
  | 'bwrap'
  | 'setpriv'
  | 'unshare'
  | 'prlimit'
  | 'choom'
  | 'setsid'
  | 'mount'
  | 'pivot_root'
  | 'env'
  | 'sh'
  | 'perl'
  | 'python3';

const found = new Map<HostProgram, string | null>();

/** Returns the path of a program, or null where this host lacks it. Each program is looked up once. */
export function findProgram(program: HostProgram): string | null {
  const known = found.get(program);
  if (known !== undefined) return known;
  const path = STANDARD_PATH.map((folder) => join(folder, program)).find(isExecutable) ?? null;
  found.set(program, path);
  return path;
}

/** Returns `[path, ...args]`, or nothing where this host lacks the program: for protections that are not guaranteed. */
export function ifAvailable(program: HostProgram, ...args: string[]): string[] {
  const path = findProgram(program);
  return path === null ? [] : [path, ...args];
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // A program that is missing or not executable cannot be used, for whatever reason.
    return false;
  }
}
