import { openAsBlob } from 'node:fs';
import { presentable } from './run-log.js';
import type { Run } from './run.js';

const UPLOAD_MS = 60_000;
const REPORT_MS = 5000;
const MAX_OUTPUT = 2000;
/** A command that gives an issue back at once is started again and again, and says the same each time. */
const SHORT_MS = 2000;

/**
 * Reports a run while it lasts, so that people can follow it (contract §7.11). Returns a function that ends this and reports
 * why the run stopped.
 */
export function startReport(run: Run): (reason: string) => Promise<void> {
  const { item, log, state } = run;
  const begin = performance.now();
  let [sent, uploaded] = ['', 0];

  /** Reports what has changed. */
  const send = async (stopped?: string) => {
    const { sessionId, logId, before } = state;
    const report = {
      token: item.token,
      turns: state.turns - before.turns,
      tokens: state.tokens - before.tokens,
      costMicros: state.costMicros - before.costMicros,
      output: presentable(run.output, log.secrets, -MAX_OUTPUT),
      ...(sessionId && { session: sessionId.slice(0, 200) }),
      ...(logId && { logId }),
      ...(stopped && { stopped }),
    };
    if (sent === JSON.stringify(report)) return;
    sent = JSON.stringify(report);
    // People see an older state until the next report.
    await run.setup.service.report(item.issueId, report).catch(() => undefined);
  };

  /** Uploads the log in place of its last version. */
  const upload = async () => {
    if (uploaded === log.bytes) return;
    try {
      uploaded = log.bytes;
      const blob = await openAsBlob(log.file, { type: 'application/x-ndjson' });
      const name = `awp-run-${item.token}.jsonl`;
      run.update({ logId: (await run.setup.service.upload(item.issueId, name, blob, state.logId)).id });
      // The run must not be without a log until the next report.
      void send();
    } catch (error) {
      // The log is on this machine too. The next upload may succeed.
      log.write('failure', `The log was not uploaded: ${(error as Error).message}`);
    }
  };

  void send();
  const timers = [setInterval(() => void upload(), UPLOAD_MS), setInterval(() => void send(), REPORT_MS)];
  return async (reason) => {
    for (const timer of timers) clearInterval(timer);
    const isRepeated = performance.now() - begin < SHORT_MS && log.digest === state.lastLog;
    if (!isRepeated) await upload();
    run.update({ lastLog: log.digest });
    void send(reason);
  };
}
