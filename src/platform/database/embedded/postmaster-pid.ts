import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What PostgreSQL writes into postmaster.pid (src/include/utils/pidfile.h). */
export interface PostmasterPid {
  pid: number;
  /** An address, or the folder of its socket. */
  host: string;
  port: number;
  ready: boolean;
}

/** Null when there is no such file, or not yet a whole one. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  // Not the folder that stands there: that is the one in which the server was started, and may have been moved.
  const host = lines[5] || clusterDir;
  return { pid, host, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Lets a server start although another program runs under the pid that a dead one left in the file. The file
 * must stay: its shared memory key keeps a new server away while children of the dead one still write. A pid
 * of the server's own parent, which we are, PostgreSQL takes for stale. A file that a power failure has emptied,
 * in which PostgreSQL sees a server that is just starting, gets that pid, too.
 */
export async function disarmPostmasterPid(clusterDir: string): Promise<void> {
  const file = join(clusterDir, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return;
  const draft = `${file}.new`;
  await writeFile(draft, text.replace(/^.*/, String(process.pid)), { mode: 0o600 });
  await rename(draft, file);
}
