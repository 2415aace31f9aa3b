import type { Logger } from '@nestjs/common';

const MINUTE_MS = 60_000;
/** Causes that have lines of their own in one failure. Further ones share a line, so that texts which differ every time stay few. */
const MOST_CAUSES = 20;
const OTHER_CAUSES = 'other causes';

/** How often a cause came since its last line, and when that was. */
interface Cause {
  loggedAt: number;
  failures: number;
}

type Output = Pick<Logger, 'log' | 'warn'>;

/**
 * Keeps the log of work that repeats by itself readable while it fails, such as a look at a database that is away (contract
 * §8.1). Each cause is one warning when it begins, then at most one per minute with the number of failures since its last
 * line; the first success is one line. Causes that differ only in numbers and ids are the same.
 */
export class RepeatedFailure {
  private readonly causes = new Map<string, Cause>();
  private begunAt: number | null = null;
  private failures = 0;

  /** @param what a sentence without its full stop that says what could not be done, such as `The journal could not be read` */
  constructor(
    private readonly output: Output,
    private readonly what: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes note of a failure, and logs it where its cause is new or a minute has passed. */
  failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const now = this.now();
    this.begunAt ??= now;
    this.failures += 1;
    const cause = this.causes.get(this.nameOf(reason));
    if (!cause) {
      this.causes.set(this.nameOf(reason), { loggedAt: now, failures: 0 });
      this.output.warn(`${this.what}: ${reason}`);
      return;
    }
    cause.failures += 1;
    if (now - cause.loggedAt < MINUTE_MS) return;
    this.output.warn({ msg: `${this.what}: ${reason}`, failures: cause.failures });
    Object.assign(cause, { loggedAt: now, failures: 0 });
  }

  /** Takes note of a success, and logs it where it ends a failure. */
  succeeded(): void {
    if (this.begunAt === null) return;
    const seconds = Math.ceil((this.now() - this.begunAt) / 1000);
    this.output.log({ msg: `It is over after ${seconds} s: ${this.what}.`, failures: this.failures });
    this.causes.clear();
    this.begunAt = null;
    this.failures = 0;
  }

  private nameOf(reason: string): string {
    const name = reason.replaceAll(/[\da-f]{8,}|\d+/gi, '0');
    return this.causes.has(name) || this.causes.size < MOST_CAUSES ? name : OTHER_CAUSES;
  }
}
