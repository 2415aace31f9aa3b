/**
 * Notices that a host may have counted as dead: it was stopped or suspended, or it did not reach the database, for so long
 * that its announcement was too old.
 */
export class Absence {
  private announcedAt = performance.now();

  /** @param onAbsence is called when the last announcement is older than `limitMs`, or was before the present one */
  constructor(
    private readonly limitMs: number,
    private readonly onAbsence: () => void,
  ) {}

  /** @param at when the announcement was sent */
  announced(at: number): void {
    this.look();
    this.announcedAt = at;
  }

  /** Looks at once: what arrived during an absence can come before the next announcement. */
  look(): void {
    if (performance.now() - this.announcedAt > this.limitMs) this.onAbsence();
  }
}
