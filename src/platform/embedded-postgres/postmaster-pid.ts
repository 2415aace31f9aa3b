import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What PostgreSQL writes into postmaster.pid (src/include/utils/pidfile.h). */
export interface PostmasterPid {
  pid: number;
  /** The address, or the folder of the socket. */
  host: string;
  port: number;
  ready: boolean;
}

/** Returns null when there is no such file, or only an incomplete one. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  // A missing file is the usual case: no server runs.
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  // The folder in the file is not used: it is where the server was started, and may have been moved since.
  const host = lines[5] || clusterDir;
  return { pid, host, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Lets a server start although another program runs under the pid that a dead server left in the file. The file must
 * stay: its shared memory key keeps a new server away while children of the dead one still write. PostgreSQL treats the
 * pid of its own parent, which is this process, as stale, so that pid is written. A file that a power failure emptied,
 * which PostgreSQL would take for a server that is just starting, gets the same pid.
 */
export async function disarmPostmasterPid(clusterDir: string): Promise<void> {
  const file = join(clusterDir, 'postmaster.pid');
  // A file that is missing needs no change. One that cannot be read stops the server, which reports it.
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return;
  const draft = `${file}.new`;
  await writeFile(draft, text.replace(/^.*/, String(process.pid)), { mode: 0o600 });
  await rename(draft, file);
}
