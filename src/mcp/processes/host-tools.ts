import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_PATH } from './child-path.js';

/** Programs of util-linux, coreutils and bubblewrap that wrap a child; each one replaces itself by what follows. */
export type HostTool =
  'bwrap' | 'setpriv' | 'unshare' | 'prlimit' | 'choom' | 'setsid' | 'mount' | 'pivot_root' | 'env' | 'sh';

const found = new Map<HostTool, string | null>();

/** Where a tool lies, or null where this host lacks it; looked up once. */
export function findTool(tool: HostTool): string | null {
  const known = found.get(tool);
  if (known !== undefined) return known;
  const path = STANDARD_PATH.map((folder) => join(folder, tool)).find(isExecutable) ?? null;
  found.set(tool, path);
  return path;
}

/** `[path, ...args]` where the tool is there, else nothing: for what is good to have but not a promise. */
export function ifThere(tool: HostTool, ...args: string[]): string[] {
  const path = findTool(tool);
  return path === null ? [] : [path, ...args];
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
