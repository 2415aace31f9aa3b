import { ApiProperty } from '@nestjs/swagger';
import { stopReasons, type StopReason } from '../../../work/issues/leases/stop-reason.js';
import type { AgentTool } from '../../agent-tools/agent-tools.js';
import type { Turn } from '../turns.service.js';
import { NewCommentResponse } from './new-comment.response.js';

/** A tool that the agent has. */
export class TurnToolResponse {
  /** @example everything__echo */
  name!: string;
  /** null for the platform's own. */
  serverId!: string | null;
  serverName!: string | null;
  description!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true })
  inputSchema!: Record<string, unknown>;

  static from({ name, serverId, serverName, description, inputSchema }: AgentTool): TurnToolResponse {
    return { name, serverId, serverName, description, inputSchema };
  }
}

export class TurnResponse {
  /** false: the worker must stop. */
  proceed!: boolean;
  @ApiProperty({ enum: stopReasons, enumName: 'StopReason', nullable: true })
  reason!: StopReason | null;
  @ApiProperty({ type: [NewCommentResponse] })
  newComments!: NewCommentResponse[];
  @ApiProperty({ type: [TurnToolResponse], description: 'What tools/list gives.' })
  tools!: TurnToolResponse[];

  static from({ proceed, reason, newComments, tools }: Turn): TurnResponse {
    return {
      proceed,
      reason,
      newComments: newComments.map(NewCommentResponse.from),
      tools: tools.map(TurnToolResponse.from),
    };
  }
}
