import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { IssueAnswerResponse } from '../../../work/gates/dto/issue-answer.response.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { WorkRequest } from '../../heartbeat/dto/heartbeat.request.js';
import { ActiveLeaseResponse } from '../../heartbeat/dto/heartbeat.response.js';
import { HeartbeatService } from '../../heartbeat/heartbeat.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { IssueCommentsAndFilesService } from './issue-comments-and-files.service.js';
import { NoArguments } from './arguments/no-arguments.js';

type Given = Record<string, unknown>;

/** The tools that take work and report on it, by the agent's heartbeat. */
@Injectable()
export class TakingWorkService {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly access: IssueAccessService,
    private readonly commentsAndFiles: IssueCommentsAndFilesService,
  ) {}

  async nextIssue(agent: AgentPrincipal, given: Given): Promise<object> {
    await argumentsAs(NoArguments, given);
    const { pickedUp, nextHeartbeatSeconds } = await this.heartbeats.handle(agent, {
      leases: [],
      capacity: 1,
      worker: null,
      failing: null,
    });
    const [picked] = pickedUp;
    if (!picked)
      return {
        issue: null,
        comments: [],
        attachments: [],
        answers: [],
        leaseToken: null,
        leaseExpiresAt: null,
        nextHeartbeatSeconds,
      };
    const { issue, token: leaseToken, expiresAt: leaseExpiresAt, answers } = picked;
    const commentsAndFiles = await this.commentsAndFiles.of(await this.access.get(agent, issue.id, 'Viewer'));
    return {
      issue: IssueResponse.from(issue, agent),
      ...commentsAndFiles,
      answers: answers.map(IssueAnswerResponse.from),
      leaseToken,
      leaseExpiresAt,
      nextHeartbeatSeconds,
    };
  }

  /** Only renews leases without `capacity`: an agent that reports on one issue must not be handed ten more. */
  async heartbeat(agent: AgentPrincipal, given: Given): Promise<object> {
    const { leases = [], capacity = 0 } = await argumentsAs(WorkRequest, given);
    const beat = await this.heartbeats.handle(agent, { leases, capacity, worker: null, failing: null });
    return {
      pickedUp: beat.pickedUp.map(({ issue, token, expiresAt }) => ({
        issue: IssueResponse.from(issue, agent),
        lease: { token, expiresAt },
      })),
      active: beat.active.map(ActiveLeaseResponse.from),
      stop: beat.stop,
      nextHeartbeatSeconds: beat.nextHeartbeatSeconds,
    };
  }
}
