import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { settlesWithin } from '../connection/deadlines.js';
import type { SandboxLevel } from '../sandbox/launch-command.js';
import { type ProcessIdentity, tmpdirOf } from '../sandbox/run-folder-environment-and-secret-files.js';
import {
  descendantsOf,
  type ProcessRow,
  readEnvironment,
  readProcess,
  readProcessTable,
} from './process-table-and-folder-bytes.js';

/**
 * All processes that came out of one start of a server: the leader, which the service spawned, and its descendants.
 *
 * At the two strongest sandbox levels the leader is a wrapper outside a PID namespace and its child is the first
 * process inside. No process inside can leave, so the tree is complete. At the weakest level a daemon leaves the tree,
 * the group and the session, and is recognised by its TMPDIR. Every process that was seen once is remembered, so that
 * one that is orphaned, or wipes its environment, between two reads of the process table is still found.
 */
export class ProcessTree {
  private readonly seen = new Map<number, number>();
  private readonly leader: ProcessIdentity;

  /** Call it right after the spawn, while the pid of the leader cannot yet belong to another process. */
  constructor(
    leader: number,
    private readonly level: SandboxLevel,
    private readonly runFolder: string,
  ) {
    this.leader = { pid: leader, startTicks: readProcess(leader)?.startTicks ?? 0 };
  }

  /** Returns the living processes, the leader included. */
  async members(): Promise<ProcessRow[]> {
    const table = await readProcessTable();
    this.remember([...this.nearIn(table), ...this.markedIn(table)]);
    return this.seenIn(table);
  }

  /**
   * Returns the living processes from a table that was read for several trees. No environment is read, so a process
   * that left tree, group and session before it was first seen is missing: good enough to measure memory, not to stop.
   */
  membersIn(table: readonly ProcessRow[]): ProcessRow[] {
    this.remember(this.nearIn(table));
    return this.seenIn(table);
  }

  /**
   * Sends SIGTERM to every process that may clean up. The two wrappers of a namespace get none, because their end
   * kills all others at once.
   */
  async terminate(): Promise<void> {
    const members = await this.members();
    const isWrapper = ({ pid, parent }: ProcessRow): boolean =>
      !this.isWeak && (pid === this.leader.pid || parent === this.leader.pid);
    members.filter((row) => !isWrapper(row)).forEach((row) => send(row, 'SIGTERM'));
  }

  async kill(): Promise<void> {
    (await this.members()).forEach((row) => send(row, 'SIGKILL'));
  }

  private remember(rows: readonly ProcessRow[]): void {
    rows.forEach((row) => this.seen.set(row.pid, row.startTicks));
  }

  private seenIn(table: readonly ProcessRow[]): ProcessRow[] {
    return table.filter((row) => !row.zombie && this.seen.get(row.pid) === row.startTicks);
  }

  /**
   * The descendants of the leader, and at the weakest level its group and session. Once the leader's pid belongs to
   * another process, these say nothing about the server.
   */
  private nearIn(table: readonly ProcessRow[]): ProcessRow[] {
    const { pid, startTicks } = this.leader;
    const leader = table.find((row) => row.pid === pid);
    if (leader && leader.startTicks !== startTicks) return [];
    const near = table.filter(
      (row) => row.pid === pid || (this.isWeak && (row.group === pid || row.session === pid)),
    );
    return [...near, ...near.flatMap((row) => descendantsOf(row.pid, table))];
  }

  private markedIn(table: readonly ProcessRow[]): ProcessRow[] {
    if (!this.isWeak) return [];
    const mark = `TMPDIR=${tmpdirOf(this.runFolder)}`;
    const marked = table.filter((row) => readEnvironment(row.pid).includes(mark));
    return [...marked, ...marked.flatMap((row) => descendantsOf(row.pid, table))];
  }

  private get isWeak(): boolean {
    return this.level === 'process-group';
  }
}

/**
 * Checks the start time again right before the signal, because the pid may have been reused since the table was read.
 */
function send(row: ProcessRow, signal: NodeJS.Signals): void {
  if (readProcess(row.pid)?.startTicks !== row.startTicks) return;
  try {
    process.kill(row.pid, signal);
  } catch {
    // The process ended in the meantime, which is the purpose of the signal.
  }
}

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
  const killAt = performance.now() + ladder.afterEndOfInputMs + ladder.afterTerminateMs;
  await tree.members(); // Orphans lose their parent's pid when the leader ends, so the tree is recorded first.
  stdin.end();
  await settlesWithin(exited, ladder.afterEndOfInputMs);
  if (await isEmpty(tree, 0)) return;
  await tree.terminate();
  if (!(await isEmpty(tree, Math.min(ladder.afterTerminateMs, killAt - performance.now()))))
    await killAll(tree);
}

/** Kills in rounds, because a process may fork while the process table is read. */
async function killAll(tree: ProcessTree): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    await tree.kill();
    if (await isEmpty(tree, KILL_ROUND_MS)) return;
  }
}

async function isEmpty(tree: ProcessTree, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if ((await tree.members()).length === 0) return true;
    if (performance.now() >= deadline) return false;
    await delay(RECHECK_MS);
  }
}
