import { dirname, isAbsolute } from 'node:path';

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
