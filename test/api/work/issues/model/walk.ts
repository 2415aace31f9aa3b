import { expect } from '@jest/globals';
import { aProject, anAgent, type Issue, type Link, type Project } from '../../../../support/builders.js';
import { Caller } from '../../../../support/caller.js';
import { aCodeHook, type CodeHook } from '../../../../support/code-deliveries.js';
import type { Service } from '../../../../support/service.js';
import type { Heartbeat } from '../../../gateway/heartbeat-requests.js';
import { expectInvariantsIn } from '../invariants.js';
import { limitTokens, reportOf } from './budget-requests.js';
import { aim } from './aim.js';
import { expectSameGraph } from './graph.js';
import { expectAnswer } from './expect-answer.js';
import { ModelAnswers } from './model-answers.js';
import { ModelSchedules } from './model-schedules.js';
import { MAX_CONCURRENT, ModelWorkers, type ExpectedBeat } from './model-workers.js';
import type { Agent, NewIssue, Step } from './steps.js';
import { TrackerModel } from './tracker-model.js';
import { WalkGates } from './walk-gates.js';
import { WalkSchedules } from './walk-schedules.js';

const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'];

/** Runs the steps of one walk in the service and in the model, in a project and with agents of its own. */
export class Walk {
  private readonly model = new TrackerModel();
  private readonly answers = new ModelAnswers(this.model);
  private readonly workers = new ModelWorkers(this.model);
  /** The steps so far, which explain an error. */
  private readonly story: string[] = [];
  /** Indexed by the model's numbers. */
  private readonly issueIds: string[] = [];
  private readonly linkIds: string[] = [];
  private readonly gates: WalkGates;
  private readonly schedules: WalkSchedules;

  private constructor(
    private readonly service: Service,
    private readonly person: Caller,
    private readonly project: Project,
    private readonly agents: Record<Agent, Caller>,
    hook: CodeHook,
  ) {
    const path = (issue: number) => this.path(issue);
    this.gates = new WalkGates(service, person, this.model, this.answers, path, hook);
    const schedules = new ModelSchedules(this.model, this.answers);
    this.schedules = new WalkSchedules(service, person, project.id, this.model, schedules, {
      idOf: (issue) => this.issueIds[issue]!,
      bodyOf: ({ blocker, parent, holds, ...step }) => ({
        ...this.ownFields(step),
        ...(blocker !== null && { blockedBy: [this.idOf(blocker)] }),
        ...(parent !== null && { parent: this.idOf(parent), holdsParent: holds }),
      }),
      add: (issue) => this.add(issue),
    });
  }

  static async begin(service: Service, person: Caller): Promise<Walk> {
    const [project, one, two] = await Promise.all([
      aProject(person),
      anAgentCaller(service),
      anAgentCaller(service),
    ]);
    const hook = await aCodeHook(service.owner.unchecked(), project);
    return new Walk(service, person, project, { 0: one, 1: two }, hook);
  }

  /** Skips a step that names an object where no object of the kind exists. */
  isPossible(step: Step): boolean {
    if (['create', 'beat', 'schedule'].includes(step.kind)) return true;
    if ('schedule' in step) return this.model.schedules.length > 0;
    if ('gate' in step) return this.model.gates.length > 0;
    if (step.kind === 'unlink') return this.model.links.length > 0;
    if (step.kind === 'agentPut' || step.kind === 'split')
      return this.workers.leasesOf(step.agent).length > 0;
    if (step.kind === 'overspend') return this.workers.goodLeasesOf(step.agent).length > 0;
    return this.model.issues.length > 0;
  }

  /** Fails when the response differs from the one that the contract requires. */
  async take(chance: Step): Promise<void> {
    const step = aim(chance, this.model);
    this.story.push(JSON.stringify(step));
    switch (step.kind) {
      case 'create':
        return this.create(step);
      case 'schedule':
        return this.schedules.create(step);
      case 'run':
        return this.schedules.run(step);
      case 'due':
        return this.schedules.due(step);
      case 'place':
        return this.place(step);
      case 'split':
        return this.split(step);
      case 'link':
        return this.link(step);
      case 'beat':
        return this.beat(step);
      case 'overspend':
        return this.overspend(step);
      case 'agentPut':
        return this.agentPut(step);
      case 'ask':
        return this.gates.ask(step);
      case 'await':
        return this.gates.awaitChecks(step);
      case 'expire':
        return this.gates.expire(step);
      case 'answer':
        return this.gates.answer(step);
      case 'withdraw':
        return this.gates.withdraw(step);
      case 'put':
        return expectAnswer(
          await this.person.put(this.path(step.issue), { status: step.status }),
          this.answers.put(step),
        );
      case 'assign':
        return expectAnswer(
          await this.person.put(this.path(step.issue), { assignedAgentId: this.agentId(step.agent) }),
          this.answers.assign(step),
        );
      case 'close':
        return expectAnswer(
          await this.person.post(`${this.path(step.issue)}/close?force=${step.force}`),
          this.answers.close(step),
        );
      case 'pause':
        return expectAnswer(
          await this.person.post(`${this.path(step.issue)}/pause`),
          this.answers.pause(step),
        );
      case 'resume':
        return expectAnswer(
          await this.person.post(`${this.path(step.issue)}/resume`),
          this.answers.resume(step),
        );
      case 'delete':
        return expectAnswer(
          await this.person.delete(`${this.path(step.issue)}?confirm=true`),
          this.answers.delete(step),
        );
      case 'unlink':
        return expectAnswer(
          await this.person.delete(`/api/projects/links/${this.linkIds[step.link]}`),
          this.answers.unlink(step),
        );
    }
  }

  /** Returns an error with the steps that led to it. */
  faultOf(cause: unknown): Error {
    const fault = cause instanceof Error ? cause.message : String(cause);
    return new Error(`${fault}\n\nThe walk:\n${this.story.join('\n')}`, { cause });
  }

  /** Fails when what a step has committed breaks an invariant, also one that a later step would hide. */
  expectInvariants(): Promise<void> {
    return expectInvariantsIn(this.service, this.project.id);
  }

  /** Fails when the graph that the service returns differs from the model's. */
  async compare(): Promise<void> {
    const { body } = await this.person.get<Issue[]>(`/api/projects/${this.project.id}/issues?sort=createdAt`);
    expectSameGraph(body, this.model, {
      numberOf: (id) => this.numberOf(id),
      agentId: (agent) => this.agentId(agent),
    });
  }

  private async create(step: Step & { kind: 'create' }): Promise<void> {
    const blockedByIssueId = this.idOf(step.blocker);
    const body = {
      title: `Issue ${this.issueIds.length}`,
      ...this.ownFields(step),
      blockedByIssueId,
      parentId: this.idOf(step.parent),
      holdsParent: step.holds,
    };
    const answer = await this.person.post<Issue>(`/api/projects/${this.project.id}/issues`, body);
    if (answer.status === 201) this.add(answer.body);
    expectAnswer(answer, this.answers.create(step));
  }

  private add({ id, links }: Issue): void {
    this.issueIds.push(id);
    this.linkIds.push(...links.map((link) => link.id));
  }

  private ownFields({ agent, priority }: Pick<NewIssue, 'agent' | 'priority'>) {
    return { assignedAgentId: this.agentId(agent), priority: PRIORITIES[priority] };
  }

  private async place(step: Step & { kind: 'place' }): Promise<void> {
    const body = { parentId: this.idOf(step.parent), holdsParent: step.holds };
    const answer = await this.person.put<Issue>(this.path(step.issue), body);
    expectAnswer(answer, this.answers.place(step));
  }

  private async split(step: Step & { kind: 'split' }): Promise<void> {
    const leases = this.workers.leasesOf(step.agent);
    const { issue } = leases[step.lease % leases.length]!;
    const body = {
      title: `Part ${this.issueIds.length}`,
      parentId: this.idOf(issue.number),
      holdsParent: step.holds,
    };
    const answer = await this.agents[step.agent].post<Issue>(`/api/projects/${this.project.id}/issues`, body);
    if (answer.status === 201) this.issueIds.push(answer.body.id);
    expectAnswer(answer, this.answers.split(step.agent, issue, step.holds));
  }

  private async link(step: Step & { kind: 'link' }): Promise<void> {
    const body = { targetIssueId: this.issueIds[step.target], linkType: step.type };
    const answer = await this.person.post<Link>(`${this.path(step.issue)}/links`, body);
    if (answer.status === 201) this.linkIds.push(answer.body.id);
    expectAnswer(answer, this.answers.link(step));
  }

  private async beat(step: Step & { kind: 'beat' }): Promise<void> {
    const leases = this.leasesOf(step.agent);
    const expected = this.workers.beat(step);
    await this.heartbeat(
      step.agent,
      { leases, ...(step.capacity !== null && { capacity: step.capacity }) },
      expected,
    );
  }

  private async overspend(step: Step & { kind: 'overspend' }): Promise<void> {
    const good = this.workers.goodLeasesOf(step.agent);
    const { issue } = good[step.lease % good.length]!;
    expect(await limitTokens(this.person, this.path(issue.number), 1)).toMatchObject({ status: 200 });
    const body = {
      leases: this.leasesOf(step.agent),
      capacity: 0,
      usage: [reportOf(this.issueIds[issue.number]!, 10)],
    };
    await this.heartbeat(step.agent, body, this.workers.overspend(step.agent, issue));
  }

  private leasesOf(agent: Agent): object[] {
    return this.workers
      .leasesOf(agent)
      .map(({ issue, token }) => ({ issueId: this.issueIds[issue.number], token }));
  }

  private async heartbeat(agent: Agent, body: object, expected: ExpectedBeat): Promise<void> {
    const answer = await this.agents[agent].post<Heartbeat>('/api/agents/me/heartbeat', body);
    expect(answer).toMatchObject({ status: 200 });
    await this.gates.findNew();
    const { pickedUp, active, stop } = answer.body;
    expect(pickedUp.map(({ issue, lease }) => [this.numberOf(issue.id), lease.token])).toEqual(
      expected.pickedUp.map(({ issue, token }) => [issue.number, token]),
    );
    expect(new Set(active.map(({ issueId }) => this.numberOf(issueId)))).toEqual(
      new Set(expected.active.map(({ number }) => number)),
    );
    expect(stop.map(({ issueId, reason }) => [this.numberOf(issueId), reason])).toEqual(
      expected.stop.map(({ issue, reason }) => [issue.number, reason]),
    );
  }

  private async agentPut(step: Step & { kind: 'agentPut' }): Promise<void> {
    const leases = this.workers.leasesOf(step.agent);
    const { issue, token } = leases[step.lease % leases.length]!;
    const headers = { 'lease-token': String(token) };
    const answer = await this.agents[step.agent].put(
      this.path(issue.number),
      { status: step.status },
      { headers },
    );
    expectAnswer(answer, this.workers.put(step));
  }

  private path(issue: number): string {
    return `/api/projects/issues/${this.issueIds[issue]}`;
  }

  private idOf(issue: number | null): string | null {
    return issue === null ? null : this.issueIds[issue]!;
  }

  private numberOf(id: string): number {
    return this.issueIds.indexOf(id);
  }

  private agentId(agent: Agent | null): string | null {
    return agent === null ? null : this.agents[agent].id;
  }
}

async function anAgentCaller(service: Service): Promise<Caller> {
  const { id, name, key } = await anAgent(service.owner.unchecked(), { maxConcurrentIssues: MAX_CONCURRENT });
  return new Caller(service, { id, name, key, checked: false });
}
