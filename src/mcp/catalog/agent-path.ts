import { basename, dirname, extname } from 'node:path';
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
