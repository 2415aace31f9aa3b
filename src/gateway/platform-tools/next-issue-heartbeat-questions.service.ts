import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { CodeLinksService } from '../../work/code/code-links.service.js';
import { ChecksGatesService } from '../../work/gates/checks-gates.service.js';
import { Gate, type IssueAnswer } from '../../work/gates/gate.entity.js';
import { GateRepository } from '../../work/gates/gate.repository.js';
import { AskQuestionRequest } from '../../work/gates/gate.request.js';
import { IssueAnswerResponse } from '../../work/gates/gate.response.js';
import { QuestionsService } from '../../work/gates/questions-and-answer-rules.service.js';
import { IssueResponse } from '../../work/issue-reading/issue.response.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { IssueLease } from '../../work/issue-status/issue-lease.entities.js';
import {
  type GivenLease,
  IssueLeaseRepository,
  type NamedLease,
} from '../../work/issue-status/issue-lease.repository.js';
import { heartbeatIntervalSeconds } from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { McpLeasesRepository, type LeaseHolder } from '../../work/leases/mcp-leases.service.js';
import { MOST_PICKED_UP } from '../agent-tools/work-tools.js';
import { CarriedAnswersService } from '../heartbeat/turns-new-comments-and-answers.service.js';
import {
  type ActiveLease,
  type HandedOut,
  type Heartbeat,
  HeartbeatService,
} from '../heartbeat/heartbeat.service.js';
import { WorkRequest } from '../heartbeat/heartbeat.request.js';
import { ActiveLeaseResponse } from '../heartbeat/heartbeat.response.js';
import {
  argumentsAs,
  AskedIssueArguments,
  ChecksArguments,
  GateIdArguments,
  NoArguments,
} from './arguments.js';
import {
  fittingFirst,
  fittingLast,
  fittingText,
  IssuePagesService,
  RESULT_CHARACTERS,
  sizeOf,
} from './result-pages.service.js';

type Given = Record<string, unknown>;

/** The tools that ask people and read what they answered. */
@Injectable()
export class AskingPeopleService {
  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    private readonly questions: QuestionsService,
    private readonly checks: ChecksGatesService,
    private readonly code: CodeLinksService,
    private readonly transactions: TransactionsService,
    @InjectRepository(Gate) private readonly gates: GateRepository,
  ) {}

  /** Without an issue of its own the question belongs to the agent, and Admins answer it. */
  async ask(agent: AgentPrincipal, { issueId: named, leaseToken: token, ...body }: Given): Promise<object> {
    const { issueId, leaseToken = null } = await argumentsAs(AskedIssueArguments, {
      issueId: named,
      leaseToken: token,
    });
    const request = await argumentsAs(AskQuestionRequest, body);
    const reference = issueId ?? (await this.leases.onlyLiveOf(agent.id));
    const issue = reference === null ? null : await this.access.get(agent, reference, 'Editor');
    const { id: gateId, state } = await this.questions.ask(agent, issue, request, leaseToken);
    return { gateId, state };
  }

  /** Links the pull request first, so that the gate waits for this one. */
  async waitForChecks(
    agent: AgentPrincipal,
    { issueId: named, leaseToken: token, ...body }: Given,
  ): Promise<object> {
    const { issueId, leaseToken = null } = await argumentsAs(AskedIssueArguments, {
      issueId: named,
      leaseToken: token,
    });
    const { url, until } = await argumentsAs(ChecksArguments, body);
    const reference = issueId ?? (await this.leases.onlyLiveOf(agent.id));
    if (reference === null)
      throw new ValidationFailed([
        { path: 'issueId', message: 'is required, because you work on no single issue' },
      ]);
    const issue = await this.access.get(agent, reference, 'Editor');
    const { id, state, outcome, result } = await this.transactions.run(async () => {
      const codeId = url === undefined ? undefined : (await this.code.add(agent, issue, url)).id;
      return this.checks.open(agent, issue, { kind: 'checks', codeId, until }, leaseToken);
    });
    return { gateId: id, state, outcome, result: result ?? null };
  }

  /** The result of a call is for the agent that made it. */
  async result(agent: AgentPrincipal, given: Given): Promise<object> {
    const { gateId } = await argumentsAs(GateIdArguments, given);
    const gate = await this.gates.findSeen(agent, gateId);
    if (!gate) throw new NotFound();
    const { state, answer, outcome } = gate;
    return { state, answer, outcome, result: gate.agentId === agent.id ? (gate.result ?? null) : null };
  }
}

/**
 * Lays out a heartbeat in a result of at most `RESULT_CHARACTERS`. All leases are there, each with its token first; the
 * texts share what is left. An element whose texts are not all there has `more: true`.
 */
export function heartbeatResult(agent: AgentPrincipal, beat: Heartbeat): object {
  const { pickedUp, active, stop, nextHeartbeatSeconds } = beat;
  const bare = {
    pickedUp: pickedUp.map((one) => pickedUpItem(agent, one, 0)),
    active: active.map((one) => activeItem(one, 0)),
    stop,
    nextHeartbeatSeconds,
  };
  const share = Math.floor((RESULT_CHARACTERS - sizeOf(bare)) / Math.max(1, pickedUp.length + active.length));
  return {
    ...bare,
    pickedUp: pickedUp.map((one) => pickedUpItem(agent, one, share)),
    active: active.map((one) => activeItem(one, share)),
  };
}

function pickedUpItem(
  agent: AgentPrincipal,
  { issue, token, expiresAt, answers }: HandedOut,
  room: number,
): object {
  const { description, links, ...summary } = IssueResponse.from(issue, agent);
  const parts = {
    answers: fittingFirst(answers.map(IssueAnswerResponse.from), room / 4),
    links: fittingFirst(links, room / 4),
    description: fittingText(description, room / 2),
  };
  const isWhole =
    parts.answers.length === answers.length &&
    parts.links.length === links.length &&
    parts.description === description;
  return {
    key: issue.key,
    id: issue.id,
    lease: { token, expiresAt },
    more: !isWhole,
    issue: { ...summary, description: parts.description, links: parts.links },
    answers: parts.answers,
  };
}

function activeItem(lease: ActiveLease, room: number): object {
  const { newComments, answers, ...rest } = ActiveLeaseResponse.from(lease);
  const comments = fittingLast(newComments, room / 2);
  const shown = fittingFirst(answers, room / 2);
  const isWhole = comments.length === newComments.length && shown.length === answers.length;
  return { ...rest, more: !isWhole, newComments: comments, answers: shown };
}

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
    private readonly held: McpLeasesRepository,
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
    const asked = { leases, capacity: Math.min(capacity, MOST_PICKED_UP) };
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
    const leases = await this.held.take(agent.id, ids, holder);
    const expiry = new Map(leases.map(({ issueId, expiresAt }) => [issueId, expiresAt]));
    const pickedUp = beat.pickedUp.map((one) => ({ ...one, expiresAt: expiry.get(one.issue.id)! }));
    return { ...beat, pickedUp };
  }
}
