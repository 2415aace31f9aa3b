import { ApiProperty } from '@nestjs/swagger';
import { briefFields, type BriefField } from '../../../work/issues/leases/brief-changes.js';
import { stopReasons, type StopReason } from '../../../work/issues/leases/stop-reason.js';
import type { AgentTool } from '../../agent-tools/agent-tool.js';
import type { Turn } from '../turns.service.js';
import { NewCommentResponse } from './new-comment.response.js';

/** A tool that the agent may call. */
export class TurnToolResponse {
  /** @example everything__echo */
  name!: string;
  /** The server of the tool; null for a tool of the platform. */
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
  /** Whether the worker may go on; if not, `reason` says why it must stop. */
  proceed!: boolean;
  @ApiProperty({ enum: stopReasons, enumName: 'StopReason', nullable: true })
  reason!: StopReason | null;
  @ApiProperty({ type: [NewCommentResponse] })
  newComments!: NewCommentResponse[];
  @ApiProperty({
    enum: briefFields,
    isArray: true,
    description: 'What changed in the issue since the last turn.',
  })
  changed!: BriefField[];
  @ApiProperty({ type: [TurnToolResponse], description: 'The tools, as tools/list returns them.' })
  tools!: TurnToolResponse[];

  static from({ proceed, reason, newComments, changed, tools }: Turn): TurnResponse {
    return {
      proceed,
      reason,
      newComments: newComments.map(NewCommentResponse.from),
      changed,
      tools: tools.map(TurnToolResponse.from),
    };
  }
}
