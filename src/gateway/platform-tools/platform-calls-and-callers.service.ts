import { Injectable } from '@nestjs/common';
import { AgentDisabled } from '../../platform/authentication/authentication.errors.js';
import {
  type AgentPrincipal,
  isLeaseHolder,
  type LeasePrincipal,
} from '../../platform/authentication/principals-and-roles.js';
import { databaseProblem } from '../../platform/health/database-outage-answers.js';
import { Problem } from '../../platform/http/problem.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { IssueLeasesService } from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { type LeaseHolder, McpLeasesService } from '../../work/leases/mcp-leases.service.js';
import {
  isOffered,
  isReading,
  PLATFORM_PREFIX,
  type PlatformToolName,
  platformToolNames,
  platformTools,
  readsOthers,
  takesIssue,
  takesToken,
} from '../agent-tools/agent-tools.service.js';
import type { CallingSession } from '../calls/exchange.js';
import { notYours, problemResult, resultOf, type ToolResult } from '../calls/tool-results-and-refusals.js';
import { argumentsAs, CallerArguments, withoutAbsent } from './arguments.js';
import {
  CommentsAndLinksService,
  IssueFilesService,
  IssueReadingService,
  IssueWritingService,
} from './issue-calls.service.js';
import { AskingPeopleService, TakingWorkService } from './next-issue-heartbeat-questions.service.js';

type Given = Record<string, unknown>;

/** Adds to the arguments of a platform tool what the key of a lease stands for: the issue and the token. */
@Injectable()
export class LeaseArgumentsService {
  constructor(private readonly access: IssueAccessService) {}

  /** @throws {Problem} for another issue than that of the lease */
  async bind(agent: LeasePrincipal, tool: PlatformToolName, given: object): Promise<Given> {
    const { issueId, token } = agent.lease;
    const { issueId: named, ...rest } = given as Given;
    if ((named ?? issueId) !== issueId && takesIssue(tool) && !readsOthers(tool))
      await this.refuseOther(agent, named);
    return {
      ...rest,
      ...(takesIssue(tool) && { issueId: readsOthers(tool) ? (named ?? issueId) : issueId }),
      ...(takesToken(tool) && { leaseToken: token }),
    };
  }

  private async refuseOther(agent: LeasePrincipal, named: unknown): Promise<void> {
    const issue = await this.access.read(agent, agent.lease.issueId);
    if (named === issue.key) return;
    throw new Problem(
      'forbidden',
      `This key belongs to your work on ${issue.key}: leave issueId out. Report on other issues in a comment.`,
    );
  }
}

/** The holder of a call, and the arguments that are left for the tool. */
interface Call {
  holder: LeaseHolder | null;
  given: Given;
}

/** Reads from a call of the agent's own key who makes it, and renews the leases of that caller (contract §7.4). */
@Injectable()
export class CallingHolderService {
  constructor(
    private readonly holding: McpLeasesService,
    private readonly leases: IssueLeasesService,
  ) {}

  /** @throws {ValidationFailed} */
  async read(
    agent: AgentPrincipal,
    tool: PlatformToolName,
    { worker: name, ...given }: Given,
    session: CallingSession | undefined,
  ): Promise<Call> {
    const { leaseToken: token, ...others } = given;
    const usesToken = takesToken(tool);
    const { worker = null, leaseToken = null } = await argumentsAs(CallerArguments, {
      worker: name,
      ...(!usesToken && { leaseToken: token }),
    });
    const holder = this.holding.holderOf(session, worker);
    const issueId = typeof given['issueId'] === 'string' ? given['issueId'] : null;
    if (holder && (worker !== null || session?.holdsLeases)) await this.holding.renew(agent, holder, issueId);
    if (leaseToken !== null && issueId !== null && !agent.disabled)
      await this.renewNamed(agent.id, issueId, leaseToken);
    return { holder, given: usesToken ? given : others };
  }

  /** A token that is no longer good changes nothing: these tools do not need it. */
  private async renewNamed(agentId: string, reference: string, token: number): Promise<void> {
    const issueId = (await this.leases.idsOf(agentId, [reference])).get(reference);
    if (issueId !== undefined) await this.leases.renew(agentId, [{ issueId, token }]);
  }
}

type PlatformCall = (
  agent: AgentPrincipal,
  given: Record<string, unknown>,
  holder: LeaseHolder | null,
) => Promise<object>;

const schemas = new Map(platformTools.map(({ toolName, inputSchema }) => [toolName, inputSchema]));

/** Runs the platform's own tools. Each calls the service of the HTTP route, so the same rules apply. */
@Injectable()
export class PlatformCallsService {
  private readonly calls: Record<PlatformToolName, PlatformCall> = {
    next_issue: (agent, given, holder) => this.work.nextIssue(agent, given, holder),
    heartbeat: (agent, given, holder) => this.work.heartbeat(agent, given, holder),
    my_issues: (agent, given, holder) => this.reading.mine(agent, given, holder),
    list_issues: (agent, given) => this.reading.list(agent, given),
    get_goal: (agent, given) => this.reading.goal(agent, given),
    get_issue: (agent, given) => this.reading.get(agent, given),
    create_issue: (agent, given) => this.writing.create(agent, given),
    plan_issues: (agent, given) => this.writing.plan(agent, given),
    update_issue: (agent, given) => this.writing.update(agent, given),
    add_comment: (agent, given) => this.commentsAndLinks.comment(agent, given),
    link_issues: (agent, given) => this.commentsAndLinks.link(agent, given),
    unlink_issues: (agent, given) => this.commentsAndLinks.unlink(agent, given),
    list_attachments: (agent, given) => this.files.list(agent, given),
    read_attachment: (agent, given) => this.files.read(agent, given),
    add_attachment: (agent, given) => this.files.add(agent, given),
    ask_person: (agent, given) => this.people.ask(agent, given),
    wait_for_checks: (agent, given) => this.people.waitForChecks(agent, given),
    gate_result: (agent, given) => this.people.result(agent, given),
  };

  constructor(
    private readonly work: TakingWorkService,
    private readonly reading: IssueReadingService,
    private readonly writing: IssueWritingService,
    private readonly commentsAndLinks: CommentsAndLinksService,
    private readonly files: IssueFilesService,
    private readonly leaseArguments: LeaseArgumentsService,
    private readonly callers: CallingHolderService,
    private readonly people: AskingPeopleService,
  ) {}

  /**
   * Returns a refusal as a result with `isError` and the code of the contract, for the model to read.
   * @throws {ProtocolError} when the platform has no such tool
   */
  async call(
    agent: AgentPrincipal,
    advertised: string,
    args: unknown,
    session?: CallingSession,
  ): Promise<ToolResult> {
    const name = platformToolNames.find((known) => PLATFORM_PREFIX + known === advertised);
    if (!name || !isOffered(name, agent))
      throw notYours(advertised, 'tools/list names the tools of the platform.');
    try {
      if (agent.disabled && !isOpenToDisabled(name)) throw new AgentDisabled();
      const named = (withoutAbsent(args, schemas.get(name)!) ?? {}) as Record<string, unknown>;
      if (isLeaseHolder(agent)) {
        const bound = await this.leaseArguments.bind(agent, name, named);
        return resultOf(await this.calls[name](agent, bound as Record<string, unknown>, null));
      }
      const call = await this.callers.read(agent, name, named, session);
      return resultOf(await this.calls[name](agent, call.given, call.holder));
    } catch (fault) {
      return refusalOf(fault);
    }
  }
}

/** A disabled agent reads, and learns from its heartbeat that it is disabled (contract §4.2). */
function isOpenToDisabled(name: PlatformToolName): boolean {
  return isReading(name) || name === 'heartbeat' || name === 'next_issue';
}

function refusalOf(fault: unknown): ToolResult {
  const problem = fault instanceof Problem ? fault : databaseProblem(fault);
  if (problem) return problemResult(problem);
  throw fault;
}
