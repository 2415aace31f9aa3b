import { Injectable } from '@nestjs/common';
import type { CallRow } from '../../../mcp/access/call-verdict.js';
import { shapeOf } from '../../../mcp/installed-servers/tools/argument-shape.js';
import type { CallResult } from '../../../mcp/installed-servers/tools/tool-calls.repository.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CallIssues } from './call-issues.js';
import { RecordBatches } from './record-batches.js';

export interface NewCall {
  tool: string;
  args: unknown;
  /** For which it is made; absent where that was not asked yet. */
  issueId?: string | null;
}

/** The record of a call that has begun; `end` closes it, once. */
export interface OpenRecord {
  end(result: CallResult): void;
}

/** The record of agents' tool calls (spec §8): who called what for which issue, and how it ended. Off the path of the call. */
@Injectable()
export class CallRecords {
  constructor(
    private readonly issues: CallIssues,
    private readonly batches: RecordBatches,
  ) {}

  begin(
    agent: AgentPrincipal,
    { serverId, serverName }: CallRow,
    { tool, args, issueId }: NewCall,
  ): OpenRecord {
    const calledAt = new Date();
    const start = performance.now();
    // Asked now: when the batch is written the issue may be finished.
    const issue = issueId === undefined ? this.issues.issueOf(agent.id) : issueId;
    const call = { calledAt, agentId: agent.id, userId: null, serverId, serverName, tool };
    return {
      end: (result) => {
        const durationMs = Math.round(performance.now() - start);
        const argumentShape = isObject(args) ? shapeOf(args) : {};
        const record = { ...call, argumentShape, result, durationMs };
        if (issue instanceof Promise)
          this.batches.await(issue.then((found) => ({ ...record, issueId: found })));
        else this.batches.add({ ...record, issueId: issue });
      },
    };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
