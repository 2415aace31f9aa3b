import { ApiProperty } from '@nestjs/swagger';
import { AgentResponse } from '../../../agents/dto/agent.response.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { stopReasons, type StopReason } from '../../../work/issues/leases/stop-reason.js';
import type { Heartbeat } from '../heartbeat.service.js';
import { NewCommentResponse } from './new-comment.response.js';

/** The agent, and until when the key it used is good. */
export class BeatingAgentResponse extends AgentResponse {
  keyExpiresAt!: Date | null;
}

export class GivenLeaseResponse {
  @ApiProperty({ type: 'integer', description: 'Goes with each change of the issue as Lease-Token.' })
  token!: number;
  expiresAt!: Date;
}

export class PickedUpResponse {
  issue!: IssueResponse;
  lease!: GivenLeaseResponse;
}

export class ActiveLeaseResponse {
  issueId!: string;
  expiresAt!: Date;
  @ApiProperty({ type: [NewCommentResponse], description: 'What others said since the last turn.' })
  newComments!: NewCommentResponse[];
}

export class StopResponse {
  issueId!: string;
  @ApiProperty({ enum: stopReasons, enumName: 'StopReason' })
  reason!: StopReason;
}

export class HeartbeatResponse {
  agent!: BeatingAgentResponse;
  @ApiProperty({ type: [PickedUpResponse], description: 'New work.' })
  pickedUp!: PickedUpResponse[];
  @ApiProperty({ type: [ActiveLeaseResponse], description: 'Leases that were renewed.' })
  active!: ActiveLeaseResponse[];
  @ApiProperty({ type: [StopResponse], description: 'What the worker has to stop.' })
  stop!: StopResponse[];
  @ApiProperty({ type: 'integer' })
  nextHeartbeatSeconds!: number;

  static from(beat: Heartbeat, caller: AgentPrincipal): HeartbeatResponse {
    return {
      agent: { ...AgentResponse.from(beat.agent), keyExpiresAt: caller.keyExpiresAt },
      pickedUp: beat.pickedUp.map(({ issue, token, expiresAt }) => ({
        issue: IssueResponse.from(issue),
        lease: { token, expiresAt },
      })),
      active: beat.active.map((lease) => ({
        ...lease,
        newComments: lease.newComments.map(NewCommentResponse.from),
      })),
      stop: beat.stop,
      nextHeartbeatSeconds: beat.nextHeartbeatSeconds,
    };
  }
}
