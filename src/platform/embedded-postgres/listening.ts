import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The longest path of a Unix socket in bytes: Linux, and therefore Node, keeps 108 with the final NUL. */
const LONGEST_SOCKET_PATH = 107;
const LONGEST_SOCKET_NAME = '/.s.PGSQL.65535'.length;

/**
 * Returns the settings that say where the server listens: on a socket in its own folder, and on no port. A sandboxed MCP
 * server shares the host's loopback but cannot see the data folder, so it cannot reach the database. Only when the
 * folder's path is too long for a socket does the server listen on 127.0.0.1, protected by its password.
 */
export function listeningSettings(clusterDir: string): Record<string, string> {
  if (Buffer.byteLength(clusterDir) + LONGEST_SOCKET_NAME > LONGEST_SOCKET_PATH)
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  // The setting is a list: quotes keep a path with commas and spaces one entry.
  return {
    listen_addresses: '',
    unix_socket_directories: `"${clusterDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/** Removes the sockets of killed servers. To be called only while no server of the cluster runs. */
export async function removeOldSockets(clusterDir: string): Promise<void> {
  const names = (await readdir(clusterDir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(names.map((name) => rm(join(clusterDir, name), { force: true })));
}
