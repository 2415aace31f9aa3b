import { descendantsOf, readEnvironment, readProcess, readProcessTable, type ProcessRow } from './process-table.js';
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

  /** Everyone alive now, the leader among them. `table` may be given where one look serves several families. */
  async members(table?: readonly ProcessRow[]): Promise<ProcessRow[]> {
    const rows = table ?? (await readProcessTable());
    this.relatives(rows).forEach((row) => this.seen.set(row.pid, row.startTicks));
    return rows.filter((row) => !row.zombie && this.seen.get(row.pid) === row.startTicks);
  }

  /**
   * SIGTERM to everyone that should clean up. Not to the two wrappers of a namespace: with them all the
   * others would be gone at once, without their time.
   */
  async terminate(): Promise<void> {
    const members = await this.members();
    const isWrapper = ({ pid, parent }: ProcessRow): boolean =>
      this.level !== 'process-group' && (pid === this.leader.pid || parent === this.leader.pid);
    members.filter((row) => !isWrapper(row)).forEach((row) => send(row, 'SIGTERM'));
  }

  async kill(): Promise<void> {
    (await this.members()).forEach((row) => send(row, 'SIGKILL'));
  }

  private relatives(table: readonly ProcessRow[]): ProcessRow[] {
    const leader = table.find((row) => row.pid === this.leader.pid);
    const reused = leader !== undefined && leader.startTicks !== this.leader.startTicks;
    const tree = leader && !reused ? [leader, ...descendantsOf(leader.pid, table)] : [];
    return this.level === 'process-group' ? [...tree, ...this.strays(table, reused)] : tree;
  }

  /** Group and session mean nothing any more once the leader's pid has passed to a stranger. */
  private strays(table: readonly ProcessRow[], reused: boolean): ProcessRow[] {
    const { pid } = this.leader;
    const mark = `TMPDIR=${tmpdirOf(this.runFolder)}`;
    const isNear = (row: ProcessRow): boolean => !reused && (row.group === pid || row.session === pid);
    const strays = table.filter((row) => isNear(row) || readEnvironment(row.pid).includes(mark));
    return strays.flatMap((row) => [row, ...descendantsOf(row.pid, table)]);
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
