import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import type { IssueAnswer } from '../../../work/gates/answers/gate-answers.repository.js';
import { IssueAnswerResponse } from '../../../work/gates/dto/issue-answer.response.js';
import { heartbeatIntervalSeconds } from '../../../work/issues/leases/heartbeat-interval.js';
import {
  HeldLeasesRepository,
  type LeaseHolder,
} from '../../../work/issues/leases/held-leases.repository.js';
import type { NamedLease } from '../../../work/issues/leases/leases.repository.js';
import type { GivenLease } from '../../../work/issues/leases/leases.repository.js';
import { CarriedAnswersService } from '../../heartbeat/answers/carried-answers.service.js';
import { WorkRequest } from '../../heartbeat/dto/heartbeat.request.js';
import { HeartbeatService, type Heartbeat } from '../../heartbeat/heartbeat.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { heartbeatResult, MOST_AT_ONCE } from './heartbeat-result.js';
import { IssuePagesService } from './issue-pages.service.js';
import { NoArguments } from './arguments/no-arguments.js';

type Given = Record<string, unknown>;

const NO_WORK = {
  key: null,
  id: null,
  leaseToken: null,
  leaseExpiresAt: null,
  more: null,
  issue: null,
  answers: [],
  comments: [],
  nextCommentsCursor: null,
  attachments: [],
};

/** An issue that a caller got, with the token of its lease. */
interface Taken extends GivenLease {
  answers: IssueAnswer[];
  /** The caller has not confirmed it yet and gets it again. */
  again?: true;
}

/** The tools that take work and report on it, by the agent's heartbeat. Their leases last `MCP_LEASE_SECONDS`. */
@Injectable()
export class TakingWorkService {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly held: HeldLeasesRepository,
    private readonly answers: CarriedAnswersService,
    private readonly pages: IssuePagesService,
    private readonly transactions: TransactionsService,
    private readonly settings: Settings,
  ) {}

  async nextIssue(agent: AgentPrincipal, given: Given, holder: LeaseHolder | null): Promise<object> {
    await argumentsAs(NoArguments, given);
    const taken = await this.transactions.run(() => this.take(agent, holder));
    const nextHeartbeatSeconds = heartbeatIntervalSeconds(this.settings.leaseSeconds);
    if (!taken) return { ...NO_WORK, nextHeartbeatSeconds };
    const { issueId, token: leaseToken, expiresAt: leaseExpiresAt, answers, again } = taken;
    return this.pages.of(agent, issueId, {
      head: { leaseToken, leaseExpiresAt, ...(again && { again }), nextHeartbeatSeconds },
      answers: answers.map(IssueAnswerResponse.from),
    });
  }

  /** The result of an earlier call may be lost, so a lease that its holder has not confirmed comes before new work. */
  private async take(agent: AgentPrincipal, holder: LeaseHolder | null): Promise<Taken | null> {
    if (holder && !agent.disabled) {
      // Under the lock, a repetition waits for the first call and finds what that took.
      await this.held.lockAgent(agent.id);
      const lease = await this.held.renewUnconfirmed(agent.id, holder);
      if (lease)
        return { ...lease, answers: await this.answers.take([lease.issueId], [], null), again: true };
    }
    const { pickedUp } = await this.handle(agent, { leases: [], capacity: 1 }, holder);
    const [first] = pickedUp;
    return first ? { ...first, issueId: first.issue.id } : null;
  }

  /** Only renews leases without `capacity`: an agent that reports on one issue must not be handed ten more. */
  async heartbeat(agent: AgentPrincipal, given: Given, holder: LeaseHolder | null): Promise<object> {
    const { leases = [], capacity = 0 } = await argumentsAs(WorkRequest, given);
    const asked = { leases, capacity: Math.min(capacity, MOST_AT_ONCE) };
    return heartbeatResult(agent, await this.transactions.run(() => this.handle(agent, asked, holder)));
  }

  private async handle(
    agent: AgentPrincipal,
    asked: { leases: NamedLease[]; capacity: number },
    holder: LeaseHolder | null,
  ): Promise<Heartbeat> {
    const beat = await this.heartbeats.handle(agent, { ...asked, worker: null, failing: null });
    if (beat.pickedUp.length === 0) return beat;
    const ids = beat.pickedUp.map(({ issue }) => issue.id);
    const leases = await this.held.take(agent.id, ids, holder, this.settings.mcpLeaseSeconds);
    const expiry = new Map(leases.map(({ issueId, expiresAt }) => [issueId, expiresAt]));
    const pickedUp = beat.pickedUp.map((one) => ({ ...one, expiresAt: expiry.get(one.issue.id)! }));
    return { ...beat, pickedUp };
  }
}
