/** What one statement found at the end of the journal, all in one snapshot. */
export interface Look {
  /** Every transaction with a smaller id has ended. */
  oldestRunning: bigint;
  /** A commit of this database waits for a synchronous standby. Asked only where `isHeldUp`. */
  awaitsStandby?: boolean;
  /** The committed rows above the head, by ascending position. */
  rows: { position: number; type: string }[];
}

/** A stretch of missing positions: taken by transactions that are still open, or that were rolled back. */
interface Gap {
  /** A transaction id that was assigned after the gap was seen, so that every transaction that took one of its positions has a smaller id. */
  barrier: bigint | null;
  seenAt: number;
}

/**
 * No transaction of the service stays open for longer, but for a commit that waits for a synchronous standby, for which PostgreSQL
 * has no limit. A transaction of another client must not hold up every reader.
 */
const LONGEST_GAP_MS = 60_000;

/** The key of the first gap: below the first position there may be open transactions that no look has seen. */
const BEFORE_START = 0;

/**
 * How far the journal can be read without missing a row. PostgreSQL assigns positions before commit: a reader that has
 * passed 10 can miss 9, which commits later. So the head stops before every gap until each transaction that can have
 * taken the missing positions has ended. A gap that is left then was rolled back, and the head passes it.
 *
 * The journal takes its transaction's id before its position (`JournalService.record`), which makes the barrier sound.
 */
export class SafeHead {
  private gaps = new Map<number, Gap>();
  private isSettled = false;

  /** @param at the greatest committed position; what lies below is safe once the transactions of that time have ended */
  constructor(private at: number) {}

  /** Every row up to this position has committed or never will; null until that is known of the start. */
  get position(): number | null {
    return this.isSettled ? this.at : null;
  }

  /** Whether a gap has lasted so long that only a commit which waits for a standby is a reason to stop before it. */
  isHeldUp(now: number): boolean {
    return [...this.gaps.values()].some((gap) => isOld(gap, now));
  }

  /** The next look reads the rows above this position. */
  get readFrom(): number {
    return this.at;
  }

  /** Moves the head as far as is safe. Returns whether there are gaps without a barrier. */
  advance(look: Look, now: number): boolean {
    const { rows } = look;
    const open = new Map<number, Gap>();
    const isOpen = (key: number): boolean => {
      const gap = this.gaps.get(key) ?? { barrier: null, seenAt: now };
      if (open.size > 0 || !isPassable(gap, look, now)) open.set(key, gap);
      return open.size > 0;
    };
    if (!this.isSettled) this.isSettled = !isOpen(BEFORE_START);
    let last = this.at;
    for (const { position } of rows) {
      if (position > last + 1) isOpen(last + 1);
      if (open.size === 0) this.at = position;
      last = position;
    }
    this.gaps = open;
    return [...open.values()].some(({ barrier }) => barrier === null);
  }

  /** @param barrier a transaction id that was assigned after the last `advance` */
  bar(barrier: bigint): void {
    for (const gap of this.gaps.values()) gap.barrier ??= barrier;
  }
}

function isPassable(gap: Gap, { oldestRunning, awaitsStandby = false }: Look, now: number): boolean {
  const { barrier } = gap;
  return (barrier !== null && oldestRunning >= barrier) || (isOld(gap, now) && !awaitsStandby);
}

function isOld({ seenAt }: Gap, now: number): boolean {
  return now - seenAt > LONGEST_GAP_MS;
}
