import { dirname, isAbsolute } from 'node:path';

/** Where commands are looked for; the service's own PATH is not passed on to children. */
export const STANDARD_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The folders of a child's PATH: its command's own, that of this very Node (`#!/usr/bin/env node`), the standard ones. */
export function childPath(command: string): string[] {
  const own = isAbsolute(command) ? [dirname(command)] : [];
  return [...new Set([...own, dirname(process.execPath), ...STANDARD_PATH])];
}
