import type { Service } from '../../support/service.js';
import { tryOut } from '../mcp/servers.js';
import type { Installed } from './mcp-setting.js';

/**
 * Knows in which order calls have reached a server that one process of the service runs. An admin, whom no lease and no
 * halt concerns, sends marks to it. A server gets its calls in order: what reaches it after a mark was sent after that mark.
 */
export class CallWitness {
  /** Sends a mark, and returns its number when it has arrived. */
  readonly mark = oneAtATime(() => this.send());
  /** Reads what has reached the server since the last look. */
  readonly look = oneAtATime(() => this.read());
  private marks = 0;
  /** The last mark that was seen in the log. */
  private seen = 0;
  /** The last mark before the last call of each round. */
  private readonly lastCalls = new Map<string, number>();
  /** How many calls have reached the server. */
  reached = 0;

  constructor(
    private readonly service: Service,
    private readonly server: Installed,
  ) {}

  /** Returns whether a call of the round reached the server after the mark. Call `look` before. */
  sawAfter(mark: number, round: string): boolean {
    return (this.lastCalls.get(round) ?? 0) >= mark;
  }

  private async read(): Promise<void> {
    const { began } = JSON.parse(await tryOut(this.service.owner, this.server, 'log')) as { began: string[] };
    for (const round of began) {
      const mark = /^mark (\d+)$/.exec(round)?.[1];
      if (mark) this.seen = Number(mark);
      else {
        this.lastCalls.set(round, this.seen);
        this.reached += 1;
      }
    }
  }

  private async send(): Promise<number> {
    const mark = (this.marks += 1);
    await tryOut(this.service.owner, this.server, 'work', { round: `mark ${mark}`, ms: 0 });
    return mark;
  }
}

/** Returns a function that runs the task from now on, after the run of an earlier caller. Those who wait share a run. */
function oneAtATime<T>(task: () => Promise<T>): () => Promise<T> {
  let present: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= present.then(() => {
      next = null;
      const run = task();
      present = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}
