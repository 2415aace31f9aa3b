import { Injectable } from '@nestjs/common';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { contentsOf } from '../../../mcp/installed-servers/tools/call-contents.js';
import type { CallEnd } from '../../../mcp/installed-servers/tools/call-outcome.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { CalledFor } from '../calls/call-rights.repository.js';
import { Settings } from '../../../platform/config/settings.js';
import { cutToBytes } from '../../../platform/http/body/cut-to-bytes.js';
import { RecordBatchesWorker } from './record-batches.worker.js';

export interface NewCall {
  tool: string;
  args: unknown;
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
    { serverId, serverName }: CalledServer,
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
    return {
      end: (how, result) => {
        const durationMs = Math.round(performance.now() - start);
        this.batches.add(() => ({ ...call, ...how, ...contentsOf(args, result), durationMs }));
      },
    };
  }
}
