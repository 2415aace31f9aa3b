import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverFolder } from '../../packages/package-folders.js';
import { credentialSetOf } from '../../processes/server-scope.js';

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

function scopesFolder(dataDir: string, serverId: string): string {
  return join(serverFolder(dataDir, serverId), 'data');
}
