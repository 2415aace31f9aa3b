import { setTimeout as sleep } from 'node:timers/promises';
import type { PostmasterPid } from './postmaster-pid.js';
import { endedWithin, startOf } from './running-process.js';

/** A running server. `start` distinguishes it from a later process with its pid; `ended` resolves with the reason. */
export interface ServerProcess {
  pid: number;
  start: string;
  /** As in `PostmasterPid`. */
  host: string;
  port: number;
  ended: Promise<string>;
}

const fastShutdownMs = 5_000;
const immediateShutdownMs = 10_000;

/** Watches a server that is not a child of this process and sends no exit event: its pid is checked each second. */
export function watchForeignServer({ pid, host, port }: PostmasterPid, start: string): ServerProcess {
  return { pid, start, host, port, ended: untilGone(pid, start) };
}

/**
 * Ends the server and waits for it. A shutdown that takes too long (a checkpoint on a slow disk) is cut short: the next
 * start then replays the log, and nothing that was committed is lost.
 */
export async function endServer(server: ServerProcess): Promise<void> {
  if (await endsOn(server, 'SIGINT', fastShutdownMs)) return;
  if (await endsOn(server, 'SIGQUIT', immediateShutdownMs)) return;
  throw new Error(`The embedded PostgreSQL (process ${server.pid}) does not end.`);
}

async function endsOn(server: ServerProcess, signal: NodeJS.Signals, milliseconds: number): Promise<boolean> {
  if ((await startOf(server.pid)) !== server.start) return true;
  try {
    process.kill(server.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  return endedWithin(server.pid, server.start, milliseconds);
}

async function untilGone(pid: number, start: string): Promise<string> {
  while ((await startOf(pid)) === start) await sleep(1_000, undefined, { ref: false });
  return 'it is gone';
}
