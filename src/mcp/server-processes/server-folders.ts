import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ValidationFailed } from '../../platform/http/problem.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { agentPathOf, hostPathError } from '../catalog/variable-values-and-placeholders.js';
import { serverFolder } from '../packages/package-unavailable-and-folders.js';
import { runRootOf } from '../processes/sandbox/run-folder-environment-and-secret-files.js';
import { credentialSetOf, withoutCredentialSet } from '../processes/server-description-and-limits.js';

/** Returns the private writable folder of one scope of a server. */
export function dataFolderOf(dataDir: string, serverId: string, scope: string): string {
  return join(scopesFolder(dataDir, serverId), scope);
}

/** Removes what the processes of a credential set have written. */
export async function removeDataFolders(
  dataDir: string,
  serverId: string,
  credentialSetId: string,
): Promise<void> {
  const folder = scopesFolder(dataDir, serverId);
  // There is none before the first start.
  const scopes = await readdir(folder).catch(() => []);
  const ofSet = scopes.filter((scope) => credentialSetOf(serverId, scope) === credentialSetId);
  await Promise.all(
    ofSet.map((scope) => rm(join(folder, scope), { recursive: true, force: true, maxRetries: 3 })),
  );
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * Matches, in JSON text, the folders that the service made for one process of a server: of its data, and of one start.
 * A server may name them in its definitions (its working folder, its TMPDIR), and they differ between two processes that
 * mean the same. The pattern takes the names of the service's own making alone, so that no server can hide words in them.
 */
export function ownFoldersPattern(dataDir: string, serverId: string): RegExp {
  const inJson = (path: string): string =>
    JSON.stringify(path)
      .slice(1, -1)
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const data = `${inJson(scopesFolder(dataDir, serverId))}/(?:shared|(?:verify-)?${UUID})(?:_${UUID})?`;
  const run = `${inJson(runRootOf(dataDir))}/\\d{1,7}-\\d{1,15}-[0-9a-f]{8}`;
  return new RegExp(`(?:${data}|${run})(?![\\w-])`, 'g');
}

function scopesFolder(dataDir: string, serverId: string): string {
  return join(serverFolder(dataDir, serverId), 'data');
}

/**
 * Fills in the paths of one scope and creates the folders that they need (contract §3.1). All verifications share one
 * folder, which stays empty unless a server writes at its start. The folder belongs to the agent, whichever credentials it
 * uses.
 * @returns the values of all variables
 * @throws {ValidationFailed} when a folder cannot be created, or lies in the data folder by a symbolic link
 */
export async function withAgentFolders(
  entry: CatalogEntry,
  values: Readonly<Record<string, string>>,
  scope: string,
  dataFolder: string,
): Promise<Record<string, string>> {
  const filled = { ...values };
  const name = scope.startsWith('verify-') ? 'verification' : withoutCredentialSet(scope);
  for (const { name: variable, format } of entry.environmentVariables) {
    const own = format === 'filepath' ? agentPathOf(values[variable] ?? '', name) : null;
    if (!own) continue;
    const error = (await hostPathError(own.path, dataFolder)) ?? (await creationError(own.folder));
    if (error !== null) throw new ValidationFailed([{ path: `envValues.${variable}`, message: error }]);
    filled[variable] = own.path;
  }
  return filled;
}

async function creationError(folder: string): Promise<string | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return null;
  } catch (error) {
    // The caller gets it as an error of the value that names the folder.
    return `has a folder of the agent that cannot be created (${(error as NodeJS.ErrnoException).code})`;
  }
}
