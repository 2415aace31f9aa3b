import { Injectable } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { contentsOf } from '../../../mcp/installed-servers/tools/call-contents.js';
import type { CallEnd, CallOutcome } from '../../../mcp/installed-servers/tools/call-outcome.js';
import type { ToolArguments } from '../../../mcp/installed-servers/tools/tool-arguments.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { CalledFor } from '../calls/call-rights.repository.js';
import { Settings } from '../../../platform/config/settings.js';
import { cutToBytes } from '../../../platform/http/body/cut-to-bytes.js';
import { currentSpan, markSpanFailed } from '../../../platform/tracing/spans.js';
import { RecordBatchesWorker } from './record-batches.worker.js';

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
