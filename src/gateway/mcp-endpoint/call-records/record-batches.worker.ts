import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { resultOf } from '../../../mcp/installed-servers/tools/tool-calls.repository.js';
import { isUnacceptableValue } from '../../../platform/database/postgres-errors.js';
import { RepeatedFailure } from '../../../platform/failures/repeated-failure.js';
import { MetricsService } from '../../../platform/health/metrics.service.js';
import { withoutOrigin } from '../../../platform/journal/journal-context.js';
import type { AgentCallRecord } from './agent-call-record.js';
import { CallTurnsService } from './call-turns.service.js';

/** Records are written within a second (contract §8.2). */
const BATCH_MS = 500;
const BATCH_SIZE = 500;

/** The number of records kept while the database is unavailable. Beyond it the oldest are dropped. */
const MOST_WAITING = 10_000;

/** Writes records of tool calls, many in one statement. */
@Injectable()
export class RecordBatchesWorker implements OnApplicationShutdown {
  private readonly log = new Logger(RecordBatchesWorker.name);
  private readonly failure = new RepeatedFailure(this.log, 'Records of tool calls could not be written');
  private readonly waiting: AgentCallRecord[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** Records that are still being made. */
  private making = 0;

  private readonly calls: Counter<'server' | 'result'>;

  constructor(
    private readonly records: CallTurnsService,
    metrics: MetricsService,
  ) {
    const help = "Agents' tool calls by server id and result.";
    this.calls = metrics.counter('awp_tool_calls_total', help, ['server', 'result']);
  }

  /** @param make makes the record; it runs once the response of the call is on its way */
  add(make: () => AgentCallRecord): void {
    this.making += 1;
    setImmediate(() => {
      this.making -= 1;
      try {
        this.put(make());
      } catch (error) {
        // Outside of any request an error would end the process: what an agent sent must never do that.
        this.log.error(
          `The record of a tool call could not be made: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    });
  }

  /** All requests are answered by now, so every call has its record; the database is still there. */
  async onApplicationShutdown(): Promise<void> {
    while (this.making > 0) await new Promise((resolve) => setImmediate(resolve));
    let before = Infinity;
    while (this.waiting.length > 0 && this.waiting.length < before) {
      before = this.waiting.length;
      await this.write();
    }
  }

  private put(call: AgentCallRecord): void {
    this.calls.inc({ server: call.serverId, result: resultOf(call.outcome) });
    this.waiting.push(call);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
    this.timer ??= withoutOrigin(() => setTimeout(() => void this.write(), BATCH_MS));
  }

  private async write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    // After a full batch the next one is written at once: with a pause in between, the writer would never catch up.
    while (await this.writeFullBatch());
    this.timer = this.waiting.length > 0 ? setTimeout(() => void this.write(), BATCH_MS) : null;
  }

  /** Writes the next batch; true where it was full, and is written. */
  private async writeFullBatch(): Promise<boolean> {
    const batch = this.waiting.splice(0, BATCH_SIZE);
    try {
      await this.records.write(batch);
      this.failure.succeeded();
      return batch.length === BATCH_SIZE;
    } catch (error) {
      await this.afterError(batch, error);
      return false;
    }
  }

  /** A record that the database rejects must not hold back the others. After any other error the batch is tried again. */
  private async afterError(batch: AgentCallRecord[], error: unknown): Promise<void> {
    this.failure.failed(error);
    if (!isUnacceptableValue(error)) this.waiting.unshift(...batch);
    else if (batch.length > 1)
      // A record that fails alone is dropped. The error of the batch is logged above.
      for (const record of batch) await this.records.write([record]).catch(() => undefined);
  }
}
