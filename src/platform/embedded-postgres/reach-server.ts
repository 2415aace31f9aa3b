import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCluster } from './postgres-cluster.js';
import type { PostgresHome } from './postgres-home.js';
import {
  disarmPostmasterPid,
  readPostmasterPid,
  removeOldSockets,
  ServerDidNotStart,
  type ServerProcess,
  type SpawnOptions,
  spawnServer,
  watchForeignServer,
} from './postgres-process.js';
import { servesCluster, startOf } from './running-process.js';

/**
 * Returns a free port of 127.0.0.1 below 32768, where the ports of outgoing connections begin: no connection takes it
 * while the server is down, and a restarted server keeps its address.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

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
