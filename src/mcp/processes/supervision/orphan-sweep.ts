import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readEnvironment, readProcess, readProcessTable, type ProcessRow } from './process-table.js';
import { isAlive, parseRunFolderName, runRootOf } from './run-folder-name.js';

/**
 * Kills the server processes that an earlier run of the service left behind, and removes their folders with the secret
 * files. It runs once at start. A process is an orphan when its TMPDIR lies under this data folder and the service
 * process that the folder's name holds is dead, so a second service on the same data folder loses nothing. Returns how
 * many processes were killed.
 */
export async function sweepOrphans(dataDir: string): Promise<number> {
  const runRoot = runRootOf(dataDir);
  const orphans = (await readProcessTable()).filter((row) => isOrphan(row, runRoot));
  for (const { pid, startTicks } of orphans) {
    if (readProcess(pid)?.startTicks === startTicks) kill(pid);
  }
  await removeDeadFolders(runRoot);
  return orphans.length;
}

/** Returns how many processes of an earlier run are alive; a sweep would kill them. */
export async function countOrphans(dataDir: string): Promise<number> {
  const runRoot = runRootOf(dataDir);
  return (await readProcessTable()).filter((row) => isOrphan(row, runRoot)).length;
}

function isOrphan(row: ProcessRow, runRoot: string): boolean {
  const tmpdir = readEnvironment(row.pid).find((entry) => entry.startsWith(`TMPDIR=${runRoot}/`));
  if (tmpdir === undefined || row.zombie || row.pid === process.pid) return false;
  const marker = parseRunFolderName(runRoot, basename(dirname(tmpdir.slice('TMPDIR='.length))));
  return marker !== null && !isAlive(marker.owner);
}

async function removeDeadFolders(runRoot: string): Promise<void> {
  // The folder is missing before the first start of a server. Any other error fails that start too, which reports it.
  const names = await readdir(runRoot).catch(() => []);
  const dead = names.filter((name) => {
    const marker = parseRunFolderName(runRoot, name);
    return marker !== null && !isAlive(marker.owner);
  });
  await Promise.all(
    dead.map((name) => rm(join(runRoot, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended in the meantime, which is the purpose of the signal.
  }
}
