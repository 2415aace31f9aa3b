import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { removeOldSockets } from './listening.js';
import { prepareCluster } from './postgres-cluster.js';
import type { PostgresHome } from './postgres-home.js';
import { disarmPostmasterPid, readPostmasterPid } from './postmaster-pid.js';
import { servesCluster, startOf } from './running-process.js';
import { ServerDidNotStart } from './server-did-not-start.js';
import { watchForeignServer, type ServerProcess } from './server-process.js';
import { spawnServer, type SpawnOptions } from './spawn-server.js';

export interface ReachedServer {
  server: ServerProcess;
  /** Whether it was running already, left by a killed service. */
  adopted: boolean;
}

export type ReachOptions = Omit<SpawnOptions, 'port'> & { preferredPort?: number };

const patienceMs = 60_000;

/** Adopts the cluster's running server, or starts one. The caller holds the lock of the data folder. */
export async function reachServer(home: PostgresHome, options: ReachOptions): Promise<ReachedServer> {
  const deadline = Date.now() + patienceMs;
  let port = options.preferredPort ?? (await freePort());
  for (;;) {
    const running = await findRunningServer(home.clusterDir, options.signal);
    if (running) return { server: running, adopted: true };
    await prepareCluster(home);
    await disarmPostmasterPid(home.clusterDir);
    await removeOldSockets(home.clusterDir);
    try {
      return { server: await spawnServer(home, { ...options, port }), adopted: false };
    } catch (error) {
      if (!(error instanceof ServerDidNotStart) || !(error.portTaken || error.clusterBusy)) throw error;
      if (Date.now() > deadline) throw error;
      if (error.portTaken) port = await freePort();
    }
    await sleep(100);
  }
}

/** Waits for a server that is starting or stopping; returns null when the pid file names no live server of this cluster. */
async function findRunningServer(clusterDir: string, signal: AbortSignal): Promise<ServerProcess | null> {
  for (;;) {
    const file = await readPostmasterPid(clusterDir);
    const start = file && (await startOf(file.pid));
    if (!file || !start || !(await servesCluster(file.pid, clusterDir))) return null;
    if (file.ready) return watchForeignServer(file, start);
    signal.throwIfAborted();
    await sleep(50);
  }
}
