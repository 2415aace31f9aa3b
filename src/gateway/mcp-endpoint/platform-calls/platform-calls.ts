import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { isUnavailable, isWorthRetrying } from '../../../platform/database/postgres-errors.js';
import { Problem } from '../../../platform/http/problem.js';
import {
  PLATFORM_PREFIX,
  platformToolNames,
  type PlatformToolName,
} from '../../agent-tools/platform-tools.js';
import { notYours } from '../calls/refused-call.js';
import { jsonResult, type ToolResult } from '../calls/tool-result.js';
import { IssueReading } from './issue-reading.js';
import { IssueRemarks } from './issue-remarks.js';
import { IssueWriting } from './issue-writing.js';
import { TakingWork } from './taking-work.js';

type Call = (agent: AgentPrincipal, given: Record<string, unknown>) => Promise<object>;

/** Answers the platform's own tools. Each calls the service of the HTTP route, so there is no second rule. */
@Injectable()
export class PlatformCalls {
  private readonly calls: Record<PlatformToolName, Call> = {
    next_issue: (agent, given) => this.work.nextIssue(agent, given),
    heartbeat: (agent, given) => this.work.heartbeat(agent, given),
    my_issues: (agent, given) => this.reading.mine(agent, given),
    get_issue: (agent, given) => this.reading.get(agent, given),
    create_issue: (agent, given) => this.writing.create(agent, given),
    update_issue: (agent, given) => this.writing.update(agent, given),
    add_comment: (agent, given) => this.remarks.comment(agent, given),
    link_issues: (agent, given) => this.remarks.link(agent, given),
  };

  constructor(
    private readonly work: TakingWork,
    private readonly reading: IssueReading,
    private readonly writing: IssueWriting,
    private readonly remarks: IssueRemarks,
  ) {}

  /**
   * A refusal is a result with `isError` and the code of the contract, for the model to read.
   * @throws {ProtocolError} where there is no such tool
   */
  async call(agent: AgentPrincipal, advertised: string, given: unknown): Promise<ToolResult> {
    const name = platformToolNames.find((known) => PLATFORM_PREFIX + known === advertised);
    if (!name) throw notYours(advertised, "The platform's own tools are those that tools/list gives.");
    try {
      return jsonResult(await this.calls[name](agent, (given ?? {}) as Record<string, unknown>));
    } catch (fault) {
      return refusalOf(fault);
    }
  }
}

function refusalOf(fault: unknown): ToolResult {
  if (fault instanceof Problem) return refused(fault);
  if (isUnavailable(fault) || isWorthRetrying(fault))
    return refused(new Problem('unavailable', 'The database does not answer; try again in a moment.'));
  throw fault;
}

function refused({ code, detail, errors, members }: Problem): ToolResult {
  const told = { code, detail, ...(errors && { errors }), ...members };
  return { content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told, isError: true };
}
