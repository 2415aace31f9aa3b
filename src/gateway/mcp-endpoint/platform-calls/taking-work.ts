import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { IssueAccess } from '../../../work/issues/issue-access.js';
import { HeartbeatRequest } from '../../heartbeat/dto/heartbeat.request.js';
import { HeartbeatResponse } from '../../heartbeat/dto/heartbeat.response.js';
import { HeartbeatService } from '../../heartbeat/heartbeat.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { Discussion } from './discussion.js';
import { NoArguments } from './arguments/no-arguments.js';

type Given = Record<string, unknown>;

/** Taking work and reporting on it: the agent's heartbeat, as tools. */
@Injectable()
export class TakingWork {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly access: IssueAccess,
    private readonly discussion: Discussion,
  ) {}

  async nextIssue(agent: AgentPrincipal, given: Given): Promise<object> {
    await argumentsAs(NoArguments, given);
    const { pickedUp, nextHeartbeatSeconds } = await this.heartbeats.beat(agent, { leases: [], capacity: 1 });
    const [picked] = pickedUp;
    if (!picked)
      return { issue: null, comments: [], leaseToken: null, leaseExpiresAt: null, nextHeartbeatSeconds };
    const { issue, token: leaseToken, expiresAt: leaseExpiresAt } = picked;
    const discussion = await this.discussion.of(await this.access.get(agent, issue.id, 'Viewer'));
    return {
      issue: IssueResponse.from(issue),
      ...discussion,
      leaseToken,
      leaseExpiresAt,
      nextHeartbeatSeconds,
    };
  }

  /** Without `capacity` it only renews: an agent that reports on one issue must not be handed ten more. */
  async heartbeat(agent: AgentPrincipal, given: Given): Promise<object> {
    const { leases = [], capacity = 0 } = await argumentsAs(HeartbeatRequest, given);
    const beat = await this.heartbeats.beat(agent, { leases, capacity });
    const { pickedUp, active, stop, nextHeartbeatSeconds } = HeartbeatResponse.from(beat, agent);
    return { pickedUp, active, stop, nextHeartbeatSeconds };
  }
}
