import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Longest path of a Unix socket in bytes: Linux, and Node with it, keeps 108 with the final NUL. */
const LONGEST_SOCKET_PATH = 107;
const LONGEST_SOCKET_NAME = '/.s.PGSQL.65535'.length;

/**
 * Where the server listens. On a socket in its own folder, and on no port: a sandboxed MCP server shares the host's
 * loopback, but has no sight of the data folder, so the database is out of its reach. Only below a folder whose path
 * is too long for a socket it listens on 127.0.0.1, where the password is what keeps others out.
 */
export function listeningSettings(clusterDir: string): Record<string, string> {
  if (Buffer.byteLength(clusterDir) + LONGEST_SOCKET_NAME > LONGEST_SOCKET_PATH)
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  // The setting is a list; in quotes a path stays one, with commas and spaces.
  return {
    listen_addresses: '',
    unix_socket_directories: `"${clusterDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/** Of servers that were killed. Only while no server of the cluster runs. */
export async function removeOldSockets(clusterDir: string): Promise<void> {
  const names = (await readdir(clusterDir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(names.map((name) => rm(join(clusterDir, name), { force: true })));
}
