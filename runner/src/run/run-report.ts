import { openAsBlob } from 'node:fs';
import { presentable } from './run-log.js';
import type { Run } from './run.js';

const UPLOAD_MS = 60_000;
const REPORT_MS = 5000;
const MAX_OUTPUT = 2000;

/** Reports a run while it lasts, so that people can follow it, and why it stopped. Contract §7.11. */
export class RunReport {
  private readonly timers = [
    setInterval(() => void this.upload(), UPLOAD_MS),
    setInterval(() => void this.send(), REPORT_MS),
  ];
  private sent = '';
  private uploaded = 0;

  constructor(private readonly run: Run) {
    void this.send();
  }

  async end(reason: string): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.upload();
    void this.send(reason);
  }

  /** Uploads the log in place of its last version. */
  private async upload(): Promise<void> {
    const { setup, item, log, state, stop } = this.run;
    if (this.uploaded === log.bytes) return;
    try {
      this.uploaded = log.bytes;
      const name = `awp-run-${item.token}.jsonl`;
      const blob = await openAsBlob(log.file, { type: 'application/x-ndjson' });
      const { id } = await setup.service.upload(item.issueId, name, blob, state.logId, stop.abandoned);
      this.run.update({ logId: id });
      // The run must not be without a log until the next report.
      void this.send();
    } catch (error) {
      // The log is on this machine too. The next upload may succeed.
      log.write('failure', `The log was not uploaded: ${(error as Error).message}`);
    }
  }

  /** Reports what has changed. */
  private async send(end?: string): Promise<void> {
    const { setup, item, log, state } = this.run;
    const { sessionId, turns, tokens, costMicros, before, logId } = state;
    const output = presentable(this.run.output, log.secrets, -MAX_OUTPUT);
    const lastLine = output.split('\n').at(-1)!.slice(-200);
    if (lastLine !== state.lastLine) this.run.update({ lastLine });
    const report = {
      token: item.token,
      turns: turns - before.turns,
      tokens: tokens - before.tokens,
      costMicros: costMicros - before.costMicros,
      output,
      ...(sessionId && { session: sessionId.slice(0, 200) }),
      ...(logId && { logId }),
      ...(end && { stopped: end }),
    };
    if (this.sent === JSON.stringify(report)) return;
    this.sent = JSON.stringify(report);
    // People see an older state until the next report.
    await setup.service.report(item.issueId, report).catch(() => undefined);
  }
}
