import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';
import type { CatalogEntry } from './catalog-entry.js';

/** In the value of a `filepath` variable: the agent whose process uses the path (contract §3.1). */
const AGENT_ID = '{agentId}';

/** Returns why an entry cannot take a path with placeholders, or null if it can. */
export function agentPathError({ manifest }: CatalogEntry, path: string): string | null {
  if (path.includes('{issueKey}'))
    return 'must not contain {issueKey}: a process of a server serves all issues of its agents. Use {agentId}';
  if (!path.includes(AGENT_ID) || manifest.sharing === 'agent') return null;
  return 'may contain {agentId} only where every agent has a process of its own (`sharing: agent` in the entry)';
}

/** Returns the part of a path that must be there already: for one with `{agentId}` the folder of all agents' folders. */
export function lastingPart(path: string): string {
  const at = path.indexOf(AGENT_ID);
  return at === -1 ? path : dirname(`${path.slice(0, at)}x`);
}

/** Returns the path for one process, and the folder that it needs; null where the path is the same for all. */
export function agentPathOf(path: string, scope: string): { path: string; folder: string } | null {
  if (!path.includes(AGENT_ID)) return null;
  const own = path.replaceAll(AGENT_ID, scope);
  // A name without an extension is that of a folder, as in `missingPathError`.
  return { path: own, folder: extname(basename(own)) === '' ? own : dirname(own) };
}

/**
 * Returns why a server must not get a path of this host (format filepath), or null if it may. The path must neither
 * contain nor lie in the data folder, which holds other servers and the key ring (contract §3.1). Symbolic links are
 * followed.
 */
export async function hostPathError(path: string, dataFolder: string): Promise<string | null> {
  const [real, realData] = await Promise.all([realPathOf(path), realPathOf(dataFolder)]);
  return within(real, realData) || within(realData, real)
    ? 'must lie outside the data folder of the service and must not contain it'
    : null;
}

/**
 * Returns why a path of this host cannot be mounted because it is not there, or null. The file that a server creates
 * itself may be missing if its folder is there; a name without an extension is that of a folder.
 */
export async function missingPathError(path: string): Promise<string | null> {
  if (!isAbsolute(path) || (await isThere(path))) return null;
  if (extname(path) !== '' && (await isThere(dirname(path)))) return null;
  return 'is not on this host: create the folder first, or correct the path';
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    // Only a path that is certainly missing is refused: the server may read one that the service cannot.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** Resolves the part of the path that exists and keeps the rest as it is. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // This part does not exist: resolve its parent.
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

function within(path: string, folder: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder !== '..' && !fromFolder.startsWith('../');
}
