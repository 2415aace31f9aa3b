import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { settlesWithin } from '../connection/deadlines.js';
import type { ProcessTree } from './process-tree.js';

const KILL_ROUNDS = 20;
const KILL_ROUND_MS = 250;
const RECHECK_MS = 25;

/** The steps by which a server is ended: stdin is closed, then SIGTERM goes to all, then SIGKILL. In milliseconds. */
export interface StopLadder {
  afterEndOfInputMs: number;
  afterTerminateMs: number;
}

/** The defaults of contract §7.6. */
export const STOP_LADDER: StopLadder = { afterEndOfInputMs: 2_000, afterTerminateMs: 3_000 };

/** The parts of a running server that ending it needs. */
export interface EndableProcess {
  stdin: Writable;
  /** Settles when the leader has ended. */
  exited: Promise<unknown>;
  tree: ProcessTree;
}

/**
 * Ends a server and all its descendants, and resolves when none is left. Reading the process table takes its time
 * on a busy host; that time counts against the ladder instead of lengthening it.
 */
export async function endProcess({ stdin, exited, tree }: EndableProcess, ladder: StopLadder): Promise<void> {
  const killAt = Date.now() + ladder.afterEndOfInputMs + ladder.afterTerminateMs;
  await tree.members(); // Orphans lose their parent's pid when the leader ends, so the tree is recorded first.
  stdin.end();
  await settlesWithin(exited, ladder.afterEndOfInputMs);
  if (await isEmpty(tree, 0)) return;
  await tree.terminate();
  if (!(await isEmpty(tree, Math.min(ladder.afterTerminateMs, killAt - Date.now())))) await killAll(tree);
}

/** Kills in rounds, because a process may fork while the process table is read. */
async function killAll(tree: ProcessTree): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    await tree.kill();
    if (await isEmpty(tree, KILL_ROUND_MS)) return;
  }
}

async function isEmpty(tree: ProcessTree, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if ((await tree.members()).length === 0) return true;
    if (Date.now() >= deadline) return false;
    await delay(RECHECK_MS);
  }
}
