const MOST_KEPT = 200;
const AGAIN_MS = 60_000;

/** The connections that the network rule of one process refused. Each target is logged once per minute. */
export class Refusals {
  /** Called with a sentence for the server's log. */
  onRefusal: (line: string) => void = () => undefined;
  /** How many there were. */
  count = 0;
  private readonly recent: { number: number; target: string }[] = [];
  private readonly logged = new Map<string, number>();

  add(target: string, why: string): void {
    this.count += 1;
    this.recent.push({ number: this.count, target });
    if (this.recent.length > MOST_KEPT) this.recent.shift();
    const now = Date.now();
    if (now - (this.logged.get(target) ?? 0) < AGAIN_MS) return;
    if (this.logged.size > MOST_KEPT) this.logged.clear();
    this.logged.set(target, now);
    this.onRefusal(`[network] refused ${target}: ${why}`);
  }

  /** Returns the targets that were refused after the first `count`, each once. */
  since(count: number): string[] {
    return [...new Set(this.recent.filter(({ number }) => number > count).map(({ target }) => target))];
  }
}
