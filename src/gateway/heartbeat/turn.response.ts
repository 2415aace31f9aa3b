import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IssueAnswerResponse } from '../../work/gates/gate.response.js';
import { type BriefField, briefFields } from '../../work/issue-status/brief-changes.js';
import { type StopReason, stopReasons } from '../../work/issue-status/stop-reasons.js';
import type { AgentTool } from '../agent-tools/agent-tool.js';
import { NewCommentResponse } from './heartbeat.response.js';
import type { Turn } from './turns.service.js';

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

/** In place of the tools that the worker has already. */
const UNCHANGED = 'unchanged';

@ApiExtraModels(TurnToolResponse)
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
  @ApiProperty({
    type: [IssueAnswerResponse],
    description: 'Answers of people that the worker may not have yet.',
  })
  answers!: IssueAnswerResponse[];
  /**
   * The version of the tools, to be sent with the next turn.
   * @example 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU
   */
  toolsVersion!: string;
  @ApiProperty({
    oneOf: [
      { type: 'array', items: { $ref: getSchemaPath(TurnToolResponse) } },
      { type: 'string', enum: [UNCHANGED] },
    ],
    description:
      'The tools, as tools/list returns them; `unchanged` while `toolsVersion` is the one of the request.',
  })
  tools!: TurnToolResponse[] | typeof UNCHANGED;

  static from({ proceed, reason, newComments, changed, answers, toolsVersion, tools }: Turn): TurnResponse {
    return {
      proceed,
      reason,
      newComments: newComments.map(NewCommentResponse.from),
      changed,
      answers: answers.map(IssueAnswerResponse.from),
      toolsVersion,
      tools: tools?.map(TurnToolResponse.from) ?? UNCHANGED,
    };
  }
}
