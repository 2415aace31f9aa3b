import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  ToolCallsRepository,
  type ToolCallRecord,
} from '../../../mcp/installed-servers/tools/tool-calls.repository.js';
import type { Counter } from 'prom-client';
import { Metrics } from '../../../platform/health/metrics.js';
import { isUnacceptableValue } from '../../../platform/database/postgres-errors.js';

/** Records are written within a second (spec §8). */
const BATCH_MS = 500;
const BATCH_SIZE = 500;

/** While the database is away so many are kept; then the oldest go. */
const MOST_WAITING = 10_000;

/** Writes records of tool calls, many in one statement. */
@Injectable()
export class RecordBatches implements OnApplicationShutdown {
  private readonly log = new Logger(RecordBatches.name);
  private readonly waiting: ToolCallRecord[] = [];
  private readonly coming = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;

  private readonly calls: Counter<'server' | 'result'>;

  constructor(
    private readonly records: ToolCallsRepository,
    metrics: Metrics,
  ) {
    const help = "Agents' tool calls by server id and result.";
    this.calls = metrics.counter('awp_tool_calls_total', help, ['server', 'result']);
  }

  add(call: ToolCallRecord): void {
    this.calls.inc({ server: call.serverId, result: call.result });
    this.waiting.push(call);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
    this.timer ??= setTimeout(() => void this.write(), BATCH_MS);
  }

  /** @param record never rejects */
  await(record: Promise<ToolCallRecord>): void {
    const coming = record.then((call) => this.add(call)).finally(() => this.coming.delete(coming));
    this.coming.add(coming);
  }

  /** All requests are answered by now, so every call has its record; the database is still there. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.coming);
    let before = Infinity;
    while (this.waiting.length > 0 && this.waiting.length < before) {
      before = this.waiting.length;
      await this.write();
    }
  }

  private async write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    // Where so many come that a batch is full, the next one must not wait: it would never catch up.
    while (await this.writeFullBatch());
    this.timer = this.waiting.length > 0 ? setTimeout(() => void this.write(), BATCH_MS) : null;
  }

  /** Writes the next batch; true where it was full, and is written. */
  private async writeFullBatch(): Promise<boolean> {
    const batch = this.waiting.splice(0, BATCH_SIZE);
    try {
      await this.records.insert(batch);
      return batch.length === BATCH_SIZE;
    } catch (fault) {
      await this.afterFault(batch, fault);
      return false;
    }
  }

  /** One record that no column takes must not keep the others; all else is tried again. */
  private async afterFault(batch: ToolCallRecord[], fault: unknown): Promise<void> {
    this.log.error(
      `Records of tool calls could not be written: ${fault instanceof Error ? fault.message : String(fault)}`,
    );
    if (!isUnacceptableValue(fault)) this.waiting.unshift(...batch);
    else if (batch.length > 1)
      for (const record of batch) await this.records.insert([record]).catch(() => undefined);
  }
}
