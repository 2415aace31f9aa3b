import type { SandboxLevel } from '../sandbox/launch-command.js';
import { type ProcessIdentity, tmpdirOf } from '../sandbox/run-folder.js';
import {
  descendantsOf,
  type ProcessRow,
  readEnvironment,
  readProcess,
  readProcessTable,
} from './process-table.js';

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
