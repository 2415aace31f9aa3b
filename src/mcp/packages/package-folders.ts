import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { PackageRequest } from './package-request.js';

/**
 * Returns the folder of everything that belongs to one installed server; it is removed with the server.
 * @throws {TypeError} when the id is not a plain name, since the folder is removed with its contents
 */
export function serverFolder(dataFolder: string, serverId: string): string {
  if (!/^[0-9a-zA-Z][0-9a-zA-Z_-]*$/.test(serverId))
    throw new TypeError('A server id consists of letters, digits, - and _.');
  return join(serversFolder(dataFolder), serverId);
}

export function serversFolder(dataFolder: string): string {
  return join(dataFolder, 'mcp', 'servers');
}

/** Returns the folder of one server's packages, which has one folder per pin. */
export function packagesFolder(dataFolder: string, serverId: string): string {
  return join(serverFolder(dataFolder, serverId), 'packages');
}

/**
 * Returns the folder of one pin. Its name is the version, for people, and a hash of everything that determines the
 * content, so that an entry with a corrected integrity never writes into the folder of a running server.
 */
export function packageFolder(dataFolder: string, serverId: string, request: PackageRequest): string {
  const identity = JSON.stringify([
    request.registry,
    request.name,
    request.version,
    request.integrity,
    request.runInstallScripts,
    // Absent without a closure, so that the folders of earlier releases keep their names.
    ...(request.closure ? [request.closure] : []),
  ]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  return join(packagesFolder(dataFolder, serverId), `${request.version.replace(/[^\w.+-]/g, '_')}-${hash}`);
}
