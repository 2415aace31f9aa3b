import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

/**
 * Why a path of this host (format filepath) must not be given to a server, or null: it must not hold, or lie
 * in, the data folder, where other servers and the key ring live (spec §3.1). Symbolic links are followed.
 */
export async function hostPathFault(path: string, dataFolder: string): Promise<string | null> {
  const [real, realData] = await Promise.all([realPathOf(path), realPathOf(dataFolder)]);
  return within(real, realData) || within(realData, real)
    ? 'must lie outside the data folder of the service, and not hold it'
    : null;
}

/** As far as the path exists; the rest as it is written. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

function within(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../');
}
