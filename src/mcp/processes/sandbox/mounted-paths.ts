import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StdioServer } from '../server-description.js';
import { contains } from './mount-plan.js';

/**
 * Whether a path of a server leads elsewhere than an admin meant. A server that writes in a folder can put a link in place
 * of a file of it, and its next start would mount what the link names, the key ring for example.
 * @param hidden the folders and files that no server may get
 */
export function leadsAway(
  { readOnlyPaths, writablePaths }: Pick<StdioServer, 'readOnlyPaths' | 'writablePaths'>,
  hidden: readonly string[],
): boolean {
  return [...readOnlyPaths, ...writablePaths].some((path) => {
    const [target, real] = [resolve(path), realPathOf(path)];
    const isSecret = hidden.some(
      (secret) => contains(secret, real) || (real !== target && contains(real, secret)),
    );
    const leavesFolder = writablePaths.some(
      (folder) => contains(resolve(folder), target) && !contains(realPathOf(folder), real),
    );
    return isSecret || leavesFolder;
  });
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A path that is missing is not mounted.
    return resolve(path);
  }
}
