import {
  descendantsOf,
  readEnvironment,
  readProcess,
  readProcessTable,
  type ProcessRow,
} from './process-table.js';
import type { SandboxLevel } from './sandbox-level.js';
import { tmpdirOf, type ProcessName } from './spawn-marker.js';

/**
 * Everyone who came out of one start of a server: the leader, which we spawned, and all below it.
 *
 * At the two best levels the leader is a wrapper outside a PID namespace and its child is the first process
 * inside; nobody inside can leave, so the tree is complete. At the weakest level a daemon leaves the tree, the
 * group and the session, and is known again by its TMPDIR. Whoever was seen once is remembered, so that a
 * process that is orphaned, or wipes its environment, between two looks is still found.
 */
export class ProcessFamily {
  private readonly seen = new Map<number, number>();
  private readonly leader: ProcessName;

  /** To be made right after the spawn, while `leader` cannot yet have passed to a stranger. */
  constructor(
    leader: number,
    private readonly level: SandboxLevel,
    private readonly runFolder: string,
  ) {
    this.leader = { pid: leader, startTicks: readProcess(leader)?.startTicks ?? 0 };
  }

  /** Everyone alive now, the leader among them. */
  async members(): Promise<ProcessRow[]> {
    const table = await readProcessTable();
    this.remember([...this.nearIn(table), ...this.markedIn(table)]);
    return this.seenIn(table);
  }

  /**
   * The same from a table that was read for several families, but without reading everyone's environment: who
   * left tree, group and session before the first look is missing. For memory, not for stopping.
   */
  membersIn(table: readonly ProcessRow[]): ProcessRow[] {
    this.remember(this.nearIn(table));
    return this.seenIn(table);
  }

  /**
   * SIGTERM to everyone that should clean up. Not to the two wrappers of a namespace: with them all the
   * others would be gone at once, without their time.
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

  /** The tree, and at the weakest level group and session, which mean nothing once the leader's pid is a stranger's. */
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

/** Looks once more right before, since a pid may have passed to a stranger since the table was read. */
function send(row: ProcessRow, signal: NodeJS.Signals): void {
  if (readProcess(row.pid)?.startTicks !== row.startTicks) return;
  try {
    process.kill(row.pid, signal);
  } catch {
    // Gone in between, which is what was wanted.
  }
}
