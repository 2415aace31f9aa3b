import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../../support/caller.js';

/** Callers that read and write beside an attack, and what they saw. */
export class HonestCallers {
  /** The time of each answer in milliseconds. */
  readonly took: number[] = [];
  /** The answers that are not the expected ones. */
  readonly failures: string[] = [];
  private ending = false;
  private readonly loops: Promise<void>[];

  /** @param issueId an issue that the callers read and comment on */
  constructor(
    callers: Caller[],
    private readonly issueId: string,
  ) {
    this.loops = callers.map((caller) => this.loop(caller.unchecked()));
  }

  async end(): Promise<void> {
    this.ending = true;
    await Promise.all(this.loops);
  }

  get p99(): number {
    return this.took.toSorted((a, b) => a - b)[Math.floor(this.took.length * 0.99)] ?? 0;
  }

  private async loop(caller: Caller): Promise<void> {
    for (let n = 0; !this.ending; n += 1) {
      const isWrite = n % 5 === 0;
      await this.timed(isWrite ? 201 : 200, () =>
        isWrite
          ? caller.post(`/api/projects/issues/${this.issueId}/comments`, { content: 'honest' })
          : caller.get(`/api/projects/issues/${this.issueId}`),
      );
      await sleep(100);
    }
  }

  private async timed(
    expected: number,
    send: () => Promise<{ status: number; text: string }>,
  ): Promise<void> {
    const start = performance.now();
    try {
      const { status, text } = await send();
      if (status !== expected) this.failures.push(`${status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(String(error));
    }
    this.took.push(performance.now() - start);
  }
}
