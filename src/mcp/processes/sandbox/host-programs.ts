import { accessSync, constants } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** The folders in which commands are looked up. The service's own PATH is not passed on to children. */
export const STANDARD_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/**
 * Returns the folders of a child's PATH: that of its command, that of the running Node (`#!/usr/bin/env node`), the
 * standard ones.
 */
export function childPath(command: string): string[] {
  const own = isAbsolute(command) ? [dirname(command)] : [];
  return [...new Set([...own, dirname(process.execPath), ...STANDARD_PATH])];
}

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
