import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { AgentResponse, ConnectResponse } from '../../agents/agent.dto.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { IssueAnswerResponse } from '../../work/gates/gate.response.js';
import { IssueResponse, IssueSummaryResponse } from '../../work/issue-reading/issue.response.js';
import { type BriefField, briefFields } from '../../work/issue-status/brief-changes.js';
import { stopForAll, type StopReason, stopReasons } from '../../work/issue-status/stop-reasons.js';
import type { AgentTool } from '../agent-tools/agent-tool.js';
import type { ActiveLease, Heartbeat } from './heartbeat.service.js';
import type { AgentState } from './heartbeat.repository.js';
import type { NewComment, Turn } from './turns-and-new-comments.service.js';
import { downloadUrlOf, type WorkItem, type WorkState, workStates } from './work-list-and-briefs.service.js';
import type { ConnectFor } from './worker-instances-and-connections.service.js';

/** What a finish or a release did. The same request again returns the same response. */
export class FinishResponse {
  @ApiProperty({ type: IssueSummaryResponse, description: 'The issue right after the finish.' })
  issue!: IssueSummaryResponse;
  /** The comment that was written with it. */
  commentId!: string | null;
  attachmentIds!: string[];
}

class NewCommentAuthorResponse {
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** A comment of another author on an issue that the agent works on. */
class NewCommentResponse {
  id!: string;
  issueId!: string;
  content!: string;
  @ApiProperty({ enum: ['User', 'Agent', 'System'], enumName: 'AuthorType' })
  authorType!: 'User' | 'Agent' | 'System';
  author!: NewCommentAuthorResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from({ authorId, authorName, ...comment }: NewComment): NewCommentResponse {
    return { ...comment, author: { id: authorId, name: authorName } };
  }
}

/** The agent, and when the key that it used expires. */
class HeartbeatAgentResponse extends AgentResponse {
  keyExpiresAt!: Date | null;
}

class GivenLeaseResponse {
  @ApiProperty({ type: 'integer', description: 'Send it as Lease-Token with each change of the issue.' })
  token!: number;
  expiresAt!: Date;
}

class PickedUpResponse {
  issue!: IssueResponse;
  lease!: GivenLeaseResponse;
  /** How the process that works on the issue connects to its tools: the key is good for this lease only. */
  connect!: ConnectResponse;
  @ApiProperty({
    type: [IssueAnswerResponse],
    description: 'Answers of people that the worker may not have yet.',
  })
  answers!: IssueAnswerResponse[];
}

export class ActiveLeaseResponse {
  issueId!: string;
  expiresAt!: Date;
  @ApiProperty({ type: [NewCommentResponse], description: 'Comments of others since the last turn.' })
  newComments!: NewCommentResponse[];
  @ApiProperty({
    enum: briefFields,
    isArray: true,
    description: 'What changed since the last turn or, without one, since the issue was handed out.',
  })
  changed!: BriefField[];
  @ApiProperty({
    type: [IssueAnswerResponse],
    description: 'Answers of people that the worker may not have yet.',
  })
  answers!: IssueAnswerResponse[];

  static from({ issueId, expiresAt, newComments, changed, answers }: ActiveLease): ActiveLeaseResponse {
    return {
      issueId,
      expiresAt,
      newComments: newComments.map(NewCommentResponse.from),
      changed,
      answers: answers.map(IssueAnswerResponse.from),
    };
  }
}

/** A file on an issue. */
class WorkFileResponse {
  id!: string;
  /** @example notes.txt */
  filename!: string;
  contentType!: string;
  @ApiProperty({ type: 'integer' })
  size!: number;
  downloadUrl!: string;
}

/** One issue of a worker: to start, to go on with, or to stop. */
class WorkItemResponse {
  issueId!: string;
  @ApiProperty({
    type: IssueResponse,
    nullable: true,
    description: 'null when the agent cannot see it any more.',
  })
  issue!: IssueResponse | null;
  @ApiProperty({ type: 'integer', description: 'The token of the lease.' })
  token!: number;
  /** null for an issue to stop. */
  expiresAt!: Date | null;
  @ApiProperty({ enum: workStates, description: 'start: begin, or begin again after a restart.' })
  state!: WorkState;
  @ApiProperty({ enum: stopReasons, enumName: 'StopReason', nullable: true })
  reason!: StopReason | null;
  /** Title, description, comments, attachments and attempt, as Markdown; null for an issue to stop. */
  brief!: string | null;
  @ApiProperty({
    enum: briefFields,
    isArray: true,
    description: 'What changed since the last turn or, without one, since the issue was handed out.',
  })
  changed!: BriefField[];
  @ApiProperty({ type: [NewCommentResponse], description: 'Comments of others since the last turn.' })
  newComments!: NewCommentResponse[];
  @ApiProperty({ type: [WorkFileResponse], description: 'Files that others attached since the last turn.' })
  newAttachments!: WorkFileResponse[];
  @ApiProperty({
    type: [IssueAnswerResponse],
    description: 'Answers of people that the worker may not have yet.',
  })
  answers!: IssueAnswerResponse[];
  @ApiProperty({
    type: ConnectResponse,
    nullable: true,
    description: 'How the process that works on the issue connects to its tools; null for an issue to stop.',
  })
  connect!: ConnectResponse | null;

  static from(item: WorkItem, caller: AgentPrincipal, connectFor: ConnectFor): WorkItemResponse {
    return {
      ...item,
      issue: item.issue && IssueResponse.from(item.issue, caller),
      newComments: item.newComments.map(NewCommentResponse.from),
      newAttachments: item.newAttachments.map(({ id, filename, contentType, size }) => ({
        id,
        filename,
        contentType,
        size,
        downloadUrl: downloadUrlOf(id),
      })),
      answers: item.answers.map(IssueAnswerResponse.from),
      connect: item.state === 'stop' ? null : connectFor(item.issueId, item.token),
    };
  }
}

/** Why an agent gets no work and must stop what it does. */
class SuspensionResponse {
  @ApiProperty({ enum: ['halted', 'disabled'] })
  reason!: 'halted' | 'disabled';
  /** What a person gave as the reason. */
  detail!: string | null;
}

class StopResponse {
  issueId!: string;
  @ApiProperty({ enum: stopReasons, enumName: 'StopReason' })
  reason!: StopReason;
}

export class HeartbeatResponse {
  agent!: HeartbeatAgentResponse;
  @ApiProperty({ type: [PickedUpResponse], description: 'New work.' })
  pickedUp!: PickedUpResponse[];
  @ApiProperty({ type: [ActiveLeaseResponse], description: 'Leases that were renewed.' })
  active!: ActiveLeaseResponse[];
  @ApiProperty({ type: [StopResponse], description: 'The issues that the worker must stop.' })
  stop!: StopResponse[];
  @ApiProperty({
    type: [WorkItemResponse],
    required: false,
    description:
      'With `worker`: all leases of that worker. An issue that it works on and that is not here is to stop.',
  })
  work?: WorkItemResponse[];
  @ApiProperty({ type: SuspensionResponse, nullable: true, description: 'Set while the agent gets no work.' })
  suspended!: SuspensionResponse | null;
  @ApiProperty({ type: 'integer' })
  nextHeartbeatSeconds!: number;

  static from(heartbeat: Heartbeat, caller: AgentPrincipal, connectFor: ConnectFor): HeartbeatResponse {
    return {
      agent: { ...AgentResponse.from(heartbeat.agent), keyExpiresAt: caller.keyExpiresAt },
      pickedUp: heartbeat.pickedUp.map(({ issue, token, expiresAt, answers }) => ({
        issue: IssueResponse.from(issue, caller),
        lease: { token, expiresAt },
        connect: connectFor(issue.id, token),
        answers: answers.map(IssueAnswerResponse.from),
      })),
      active: heartbeat.active.map(ActiveLeaseResponse.from),
      stop: heartbeat.stop,
      ...(heartbeat.work && {
        work: heartbeat.work.map((item) => WorkItemResponse.from(item, caller, connectFor)),
      }),
      suspended: suspensionOf(heartbeat.agent),
      nextHeartbeatSeconds: heartbeat.nextHeartbeatSeconds,
    };
  }
}

function suspensionOf(agent: AgentState): SuspensionResponse | null {
  const reason = stopForAll(agent);
  return reason && { reason, detail: reason === 'halted' ? agent.haltReason : null };
}

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
