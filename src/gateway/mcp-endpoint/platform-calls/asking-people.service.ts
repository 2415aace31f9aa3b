import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { NotFound } from '../../../platform/http/problem/problem.js';
import { AskQuestionRequest } from '../../../work/gates/dto/ask-question.request.js';
import { GatesRepository } from '../../../work/gates/gates.repository.js';
import { QuestionsService } from '../../../work/gates/questions.service.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { LeasesRepository } from '../../../work/issues/leases/leases.repository.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { AskedIssueArguments, GateIdArguments } from './arguments/asking-arguments.js';

type Given = Record<string, unknown>;

/** The tools that ask people and read what they answered. */
@Injectable()
export class AskingPeopleService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly leases: LeasesRepository,
    private readonly questions: QuestionsService,
    private readonly gates: GatesRepository,
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

  /** The result of a call is for the agent that made it. */
  async result(agent: AgentPrincipal, given: Given): Promise<object> {
    const { gateId } = await argumentsAs(GateIdArguments, given);
    const gate = await this.gates.findSeen(agent, gateId);
    if (!gate) throw new NotFound();
    const { state, answer, outcome } = gate;
    return { state, answer, outcome, result: gate.agentId === agent.id ? (gate.result ?? null) : null };
  }
}
