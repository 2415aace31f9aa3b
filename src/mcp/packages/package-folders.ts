import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { PackageRequest } from './package-request.js';

/**
 * Where everything of one installed server lies; removed with it.
 * @throws {TypeError} for an id that is no plain name, since the folder will be removed with all that is in it
 */
export function serverFolder(dataFolder: string, serverId: string): string {
  if (!/^[0-9a-zA-Z][0-9a-zA-Z_-]*$/.test(serverId))
    throw new TypeError('A server id is letters, digits, - and _.');
  return join(serversFolder(dataFolder), serverId);
}

export function serversFolder(dataFolder: string): string {
  return join(dataFolder, 'mcp', 'servers');
}

/** The packages of one server, a folder for each pin it ever had at the same time. */
export function packagesFolder(dataFolder: string, serverId: string): string {
  return join(serverFolder(dataFolder, serverId), 'packages');
}

/**
 * An own folder for each pin: the version for people, and a hash of all that makes the content, so that an entry
 * that corrects its integrity never writes into the folder that a running server is started from.
 */
export function packageFolder(dataFolder: string, serverId: string, request: PackageRequest): string {
  const identity = JSON.stringify([
    request.registry,
    request.name,
    request.version,
    request.integrity,
    request.runInstallScripts,
  ]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  return join(packagesFolder(dataFolder, serverId), `${request.version.replace(/[^\w.+-]/g, '_')}-${hash}`);
}
