import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { Transactions } from '../../platform/database/transactions.js';
import { IssuesRepository } from '../../work/issues/issues.repository.js';
import { IssueLeases } from '../../work/issues/leases/issue-leases.js';
import type { StopReason } from '../../work/issues/leases/stop-reason.js';
import { AgentTools, type AgentTool } from '../agent-tools/agent-tools.js';
import { HeartbeatRepository, type NewComment } from './heartbeat.repository.js';
import { stoppedAltogether } from './heartbeat.service.js';

/** Whether a worker may go on, and with what. */
export interface Turn {
  proceed: boolean;
  reason: StopReason | null;
  newComments: NewComment[];
  tools: AgentTool[];
}

/** The turn boundary of an agent (spec §7): here a pause, a revoke and a word from a person take effect. */
@Injectable()
export class TurnsService {
  constructor(
    private readonly heartbeats: HeartbeatRepository,
    private readonly leases: IssueLeases,
    private readonly issues: IssuesRepository,
    private readonly agentTools: AgentTools,
    private readonly transactions: Transactions,
  ) {}

  /** @param issueId id or key, or null for a turn without an issue */
  async take(caller: AgentPrincipal, issueId: string | null, token: number | null): Promise<Turn> {
    const turn =
      issueId === null ? { reason: null, newComments: [] } : await this.onIssue(caller, issueId, token);
    return { proceed: turn.reason === null, ...turn, tools: await this.agentTools.list(caller) };
  }

  private async onIssue(
    caller: AgentPrincipal,
    reference: string,
    token: number | null,
  ): Promise<Pick<Turn, 'reason' | 'newComments'>> {
    const held = stoppedAltogether(await this.heartbeats.look(caller.id));
    if (held) return { reason: held, newComments: [] };
    const issue = await this.issues.findSeen(caller, reference);
    if (!issue) return { reason: 'deleted', newComments: [] };
    return this.transactions.run(async () => {
      const reason = await this.reasonToStop(caller, issue.id, token);
      return {
        reason,
        newComments: reason ? [] : await this.heartbeats.tellNewComments(caller.id, issue.id),
      };
    });
  }

  /** A turn needs no token (spec §7: only a PUT does); one that it carries must still be good, and renews the lease. */
  private async reasonToStop(
    caller: AgentPrincipal,
    issueId: string,
    token: number | null,
  ): Promise<StopReason | null> {
    const renewed = token === null ? [] : await this.leases.renew(caller.id, [{ issueId, token }]);
    if (renewed.length > 0) return null;
    const [stop] = await this.leases.stopReasons(caller.id, [issueId]);
    return token === null && stop!.reason === 'lease_lost' ? null : stop!.reason;
  }
}
