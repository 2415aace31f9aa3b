/** What one look at the journal's end found, all of one snapshot. */
export interface Look {
  /** Positions above the head that are committed, ascending, each by itself. */
  positions: number[];
  /** Every transaction with a smaller id has ended. */
  oldestRunning: bigint;
}

/** A missing stretch of positions: taken by transactions that are still open, or that were rolled back. */
interface Gap {
  /** Given out after the gap was seen, so that whoever had taken its positions has a smaller id. */
  barrier: bigint | null;
  seenAt: number;
}

/** No transaction of the service is open for longer; beyond that another one's must not hold up every reader. */
const LONGEST_GAP_MS = 60_000;

/**
 * How far the journal can be read so that nothing is missed. Positions are given out before commit: a reader
 * that has passed 10 can miss 9, which commits later. So the head stops before every gap, until each
 * transaction that can have taken the missing positions has ended: then the gap was rolled back and is passed.
 *
 * The journal takes its transaction's id before its position (`Journal.record`), which makes the barrier sound.
 */
export class JournalHead {
  private gaps = new Map<number, Gap>();

  /** @param at everything up to here is known to be final */
  constructor(public at: number) {}

  /** Moves the head as far as is sure. Answers whether there are gaps without a barrier yet. */
  advance({ positions, oldestRunning }: Look, now: number): boolean {
    const seen = new Map<number, Gap>();
    let open = false;
    let last = this.at;
    for (const position of positions) {
      if (position > last + 1) {
        const gap = this.gaps.get(last + 1) ?? { barrier: null, seenAt: now };
        open ||= !isPassable(gap, oldestRunning, now);
        if (open) seen.set(last + 1, gap);
      }
      if (!open) this.at = position;
      last = position;
    }
    this.gaps = seen;
    return [...seen.values()].some(({ barrier }) => barrier === null);
  }

  /** @param barrier a transaction id that was given out after the last `advance` */
  bar(barrier: bigint): void {
    for (const gap of this.gaps.values()) gap.barrier ??= barrier;
  }
}

function isPassable({ barrier, seenAt }: Gap, oldestRunning: bigint, now: number): boolean {
  return (barrier !== null && oldestRunning >= barrier) || now - seenAt > LONGEST_GAP_MS;
}
