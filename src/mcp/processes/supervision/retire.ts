import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedConnection } from './supervised-connection.js';

const LOOK_MS = 50;

/** Ends each connection as soon as it is idle, until there is none, or for at most `withinMs`. */
export async function retire(connections: () => SupervisedConnection[], withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (connections().length > 0 && performance.now() < until) {
    const idle = connections().filter((connection) => connection.idleSince() !== null);
    await Promise.all(idle.map((connection) => connection.giveWay()));
    await sleep(LOOK_MS);
  }
}
