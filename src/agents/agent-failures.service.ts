import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Settings } from '../platform/config/settings.js';
import { AgentFailure } from './agent.entity.js';

/** A worker's report that it takes no more work until a person has acted (contract §7.1); `since` is as JSON has it. */
export type Failing = Pick<AgentFailure, 'worker' | 'reason'> & { since: string };

/** Condition: the failure `f` of an agent was reported again within the time of a lease. */
export const IS_FAILING = 'f.until > now()';

/** The reason as a sentence that another can follow. Workers send it with or without a full stop. */
export function asSentence(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}

/** Takes the place of a reason whose text may be about a project that its reader does not see. */
export const HIDDEN_REASON = 'A reason that only people who see all projects of the agent can read.';

/** Condition: the agent works in a members-only project `p` with the condition. Its worker may write about that one. */
export const worksHidden = (agentId: string, membership: string, condition: string) => `
  EXISTS (SELECT 1 FROM project_members own JOIN projects p ON p.id = own.project_id ${membership}
          WHERE own.agent_id = ${agentId} AND p.visibility = 'members' AND ${condition})`;

/** What a heartbeat says of its worker: `failing` is null while the worker takes work, `worker` where it has no name. */
export interface WorkerReport {
  worker: string | null;
  failing: string | null;
}

/** Keeps which worker of an agent says that it takes no more work, for as long as a lease (contract §7.1). */
@Injectable()
export class AgentFailuresService {
  constructor(
    @InjectRepository(AgentFailure) private readonly failures: Repository<AgentFailure>,
    private readonly settings: Settings,
  ) {}

  /**
   * Stores or ends the failure of a worker. Any other report costs no statement.
   * @returns whether something was written
   */
  async update(
    { id, failing: known }: { id: string; failing: Failing | null },
    { worker, failing }: WorkerReport,
  ): Promise<boolean> {
    if (worker === null || (failing === null && known?.worker !== worker)) return false;
    if (failing === null) await this.failures.delete({ agentId: id, worker });
    else await this.report(id, worker, failing);
    return true;
  }

  /**
   * SQL: an upsert that decides by the row there is. The failure of another worker is kept while it lasts, and `since` stays
   * when a worker reports again.
   */
  private async report(agentId: string, worker: string, reason: string): Promise<void> {
    await this.failures.query(
      `INSERT INTO agent_failures AS f (agent_id, worker, reason, until)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))
       ON CONFLICT (agent_id) DO UPDATE SET worker = excluded.worker, reason = excluded.reason, until = excluded.until,
         since = CASE WHEN ${IS_FAILING} THEN f.since ELSE excluded.since END
       WHERE f.worker = excluded.worker OR NOT ${IS_FAILING}`,
      [agentId, worker, reason, this.settings.leaseSeconds],
    );
  }
}
