import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readEnvironment, readProcess, readProcessTable, type ProcessRow } from './process-table.js';
import { isAlive, parseMarker, runRootOf } from './spawn-marker.js';

/**
 * Ends what an earlier run of the service left behind, and removes its folders with their secret files: only
 * processes that carry a marker under this very data folder, and only where the service process that the marker
 * names is dead. A second service on the same data folder loses nothing. Returns how many processes were ended.
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

/** How many processes of an earlier run are alive; a sweep would end them. */
export async function countOrphans(dataDir: string): Promise<number> {
  const runRoot = runRootOf(dataDir);
  return (await readProcessTable()).filter((row) => isOrphan(row, runRoot)).length;
}

function isOrphan(row: ProcessRow, runRoot: string): boolean {
  const tmpdir = readEnvironment(row.pid).find((entry) => entry.startsWith(`TMPDIR=${runRoot}/`));
  if (tmpdir === undefined || row.zombie || row.pid === process.pid) return false;
  const marker = parseMarker(runRoot, basename(dirname(tmpdir.slice('TMPDIR='.length))));
  return marker !== null && !isAlive(marker.owner);
}

async function removeDeadFolders(runRoot: string): Promise<void> {
  const names = await readdir(runRoot).catch(() => []);
  const dead = names.filter((name) => {
    const marker = parseMarker(runRoot, name);
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
    // Gone in between, which is what was wanted.
  }
}
