import { Injectable } from '@nestjs/common';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { shapeOf } from '../../../mcp/installed-servers/tools/argument-shape.js';
import type { CallResult } from '../../../mcp/installed-servers/tools/tool-calls.repository.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { RecordBatchesWorker } from './record-batches.worker.js';

/** The longest name that is stored, in characters: the name of a refused call is whatever the agent sent. */
const LONGEST_NAME = 128;

export interface NewCall {
  tool: string;
  args: unknown;
  /** The issue that the call is made for. */
  issueId: string | null;
}

/** The record of a call that has begun; `end` closes it, once. */
export interface OpenRecord {
  end(result: CallResult): void;
}

/** The record of agents' tool calls (contract §8): who called what for which issue, and how it ended. Off the path of the call. */
@Injectable()
export class CallRecordsService {
  constructor(private readonly batches: RecordBatchesWorker) {}

  begin(
    agent: AgentPrincipal,
    { serverId, serverName }: CalledServer,
    { tool, args, issueId }: NewCall,
  ): OpenRecord {
    const calledAt = new Date();
    const start = performance.now();
    const call = { calledAt, agentId: agent.id, userId: null, serverId, serverName, tool: shortened(tool) };
    return {
      end: (result) => {
        const durationMs = Math.round(performance.now() - start);
        const argumentShape = isObject(args) ? shapeOf(args) : {};
        this.batches.add({ ...call, issueId, argumentShape, result, durationMs });
      },
    };
  }
}

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME) : name;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
