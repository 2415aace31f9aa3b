import { Injectable } from '@nestjs/common';
import type { CallRow } from '../../../mcp/access/tool-access.repository.js';
import { shapeOf } from '../../../mcp/installed-servers/tools/argument-shape.js';
import type { CallResult } from '../../../mcp/installed-servers/tools/tool-calls.repository.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CallIssues } from './call-issues.js';
import { RecordBatches } from './record-batches.js';

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

  begin(agent: AgentPrincipal, { serverId, serverName }: CallRow, tool: string, args: unknown): OpenRecord {
    const calledAt = new Date();
    const start = performance.now();
    // Asked now: when the batch is written the issue may be finished.
    const issue = this.issues.issueOf(agent.id);
    const call = { calledAt, agentId: agent.id, userId: null, serverId, serverName, tool };
    return {
      end: (result) => {
        const durationMs = Math.round(performance.now() - start);
        const argumentShape = isObject(args) ? shapeOf(args) : {};
        this.batches.add(issue.then((issueId) => ({ ...call, issueId, argumentShape, result, durationMs })));
      },
    };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
