import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import type { Counter } from 'prom-client';
import type { CalledServer } from '../../mcp/access/effective-access-and-refusals.js';
import {
  type CallEnd,
  type CallOutcome,
  contentsOf,
  type ToolArguments,
  resultOf,
} from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { isUnacceptableValue } from '../../platform/database/postgres-errors.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { cutToBytes } from '../../platform/http/text-and-instant-rules.js';
import { withoutOrigin } from '../../platform/journal/journal.service.js';
import { currentSpan, markSpanFailed } from '../../platform/tracing/spans.js';
import { isPlatformTool } from '../agent-tools/agent-tools.service.js';
import type { CalledFor } from './call-rights-and-only-lease.repository.js';
import { type AgentCallRecord, CallTurnsService } from './call-turns.service.js';

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

/** Outcomes that a trace shows as errors. */
const FAILURES = new Set<CallOutcome>(['tool_error', 'timeout', 'unavailable', 'unknown']);

export interface NewCall {
  tool: string;
  args: ToolArguments;
  /** The work that the call is made for. */
  calledFor: CalledFor | null;
  /** Whether the usage has it already, since a budget applies. */
  isCounted: boolean;
  /** The gate that the call waited for. */
  gateId?: string | null;
}

/** The record of a call that has begun; `end` closes it, once. */
export interface OpenRecord {
  /** @param result absent for a call without a result */
  end(how: CallEnd, result?: unknown): void;
}

/**
 * Whether calls of a tool have no record: those of the platform's own tools, because the journal has what they change
 * (contract §8.2).
 */
export function hasNoRecord(tool: unknown): tool is string {
  return isPlatformTool(tool);
}

/**
 * The record of agents' tool calls (contract §8.2): who called what for which issue, and how it ended. Hashing and
 * measuring wait until the response is on its way.
 */
@Injectable()
export class CallRecordsService {
  constructor(
    private readonly batches: RecordBatchesWorker,
    private readonly settings: Settings,
  ) {}

  begin(
    agent: Pick<AgentPrincipal, 'id' | 'name'>,
    { serverId, serverName, slug }: CalledServer,
    { tool, args, calledFor, isCounted, gateId = null }: NewCall,
  ): OpenRecord {
    const calledAt = new Date();
    const start = performance.now();
    const names = { agentId: agent.id, agentName: agent.name, userId: null, serverId, serverName };
    const work = {
      issueId: calledFor?.issueId ?? null,
      leaseToken: calledFor?.leaseToken ?? null,
      turn: calledFor?.turn ?? 0,
    };
    // The name of a refused call is whatever the agent sent.
    const call = {
      calledAt,
      ...names,
      ...work,
      isCounted,
      gateId,
      tool: cutToBytes(tool, this.settings.limits.mcpNameMaxBytes),
    };
    const span = currentSpan();
    return {
      end: (how, result) => {
        if (span?.isRecording()) nameCall(span, slug, tool, how);
        const durationMs = Math.round(performance.now() - start);
        this.batches.add(() => ({ ...call, ...how, ...contentsOf(args, result), durationMs }));
      },
    };
  }
}

/** The name of a refused call is whatever the agent sent, so it stays out of the trace. */
function nameCall(span: Span, slug: string, tool: string, { outcome, reason }: CallEnd): void {
  span.setAttributes({ 'awp.server': slug, 'awp.outcome': outcome });
  if (reason !== null) span.setAttribute('awp.reason', reason);
  if (outcome !== 'refused')
    span.updateName(`tools/call ${slug}__${tool}`).setAttribute('gen_ai.tool.name', tool);
  if (FAILURES.has(outcome)) markSpanFailed(span, outcome);
}
