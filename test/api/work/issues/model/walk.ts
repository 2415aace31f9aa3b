import { expect } from '@jest/globals';
import { aProject, anAgent, type Issue, type Link, type Project } from '../../../../support/builders.js';
import type { Answer } from '../../../../support/answer.js';
import { Caller } from '../../../../support/caller.js';
import type { Service } from '../../../../support/service.js';
import type { Heartbeat } from '../../../gateway/heartbeat-requests.js';
import { answer as answerGate, makeDue, readGate, withdraw, type Gate } from '../../gates/gate-requests.js';
import { until } from '../../../../support/until.js';
import { aim } from './aim.js';
import { expectSameGraph } from './graph.js';
import { ModelAnswers, type Expected } from './model-answers.js';
import { MAX_CONCURRENT, ModelWorkers } from './model-workers.js';
import type { Agent, Step } from './steps.js';
import { TrackerModel } from './tracker-model.js';

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
  private readonly gateIds: string[] = [];

  private constructor(
    private readonly service: Service,
    private readonly person: Caller,
    private readonly project: Project,
    private readonly agents: Record<Agent, Caller>,
  ) {}

  static async begin(service: Service, person: Caller): Promise<Walk> {
    const [project, one, two] = await Promise.all([
      aProject(person),
      anAgentCaller(service),
      anAgentCaller(service),
    ]);
    return new Walk(service, person, project, { 0: one, 1: two });
  }

  /** Skips a step that names an object where no object of the kind exists. */
  isPossible(step: Step): boolean {
    if (step.kind === 'create' || step.kind === 'beat') return true;
    if ('gate' in step) return this.model.gates.length > 0;
    if (step.kind === 'unlink') return this.model.links.length > 0;
    if (step.kind === 'agentPut') return this.workers.leasesOf(step.agent).length > 0;
    return this.model.issues.length > 0;
  }

  /** Fails when the response differs from the one that the contract requires. */
  async take(chance: Step): Promise<void> {
    const step = aim(chance, this.model);
    this.story.push(JSON.stringify(step));
    switch (step.kind) {
      case 'create':
        return this.create(step);
      case 'link':
        return this.link(step);
      case 'beat':
        return this.beat(step);
      case 'agentPut':
        return this.agentPut(step);
      case 'ask':
        return this.ask(step);
      case 'expire':
        return this.expire(step);
      case 'answer':
        return this.hold(await answerGate(this.person, this.gate(step)), this.answers.closeGate(step.gate));
      case 'withdraw':
        return this.hold(await withdraw(this.person, this.gate(step)), this.answers.closeGate(step.gate));
      case 'put':
        return this.hold(
          await this.person.put(this.path(step.issue), { status: step.status }),
          this.answers.put(step),
        );
      case 'assign':
        return this.hold(
          await this.person.put(this.path(step.issue), { assignedAgentId: this.agentId(step.agent) }),
          this.answers.assign(step),
        );
      case 'close':
        return this.hold(
          await this.person.post(`${this.path(step.issue)}/close?force=${step.force}`),
          this.answers.close(step),
        );
      case 'pause':
        return this.hold(await this.person.post(`${this.path(step.issue)}/pause`), this.answers.pause(step));
      case 'resume':
        return this.hold(
          await this.person.post(`${this.path(step.issue)}/resume`),
          this.answers.resume(step),
        );
      case 'delete':
        return this.hold(
          await this.person.delete(`${this.path(step.issue)}?confirm=true`),
          this.answers.delete(step),
        );
      case 'unlink':
        return this.hold(
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

  /** Fails when the graph that the service returns differs from the model's. */
  async compare(): Promise<void> {
    const { body } = await this.person.get<Issue[]>(`/api/projects/${this.project.id}/issues?sort=createdAt`);
    expectSameGraph(body, this.model, {
      numberOf: (id) => this.numberOf(id),
      agentId: (agent) => this.agentId(agent),
    });
  }

  private async create(step: Step & { kind: 'create' }): Promise<void> {
    const blockedByIssueId = step.blocker === null ? null : this.issueIds[step.blocker];
    const body = {
      title: `Issue ${this.issueIds.length}`,
      assignedAgentId: this.agentId(step.agent),
      priority: PRIORITIES[step.priority],
      blockedByIssueId,
    };
    const answer = await this.person.post<Issue>(`/api/projects/${this.project.id}/issues`, body);
    if (answer.status === 201) {
      this.issueIds.push(answer.body.id);
      this.linkIds.push(...answer.body.links.map(({ id }) => id));
    }
    this.hold(answer, this.answers.create(step));
  }

  private async link(step: Step & { kind: 'link' }): Promise<void> {
    const body = { targetIssueId: this.issueIds[step.target], linkType: step.type };
    const answer = await this.person.post<Link>(`${this.path(step.issue)}/links`, body);
    if (answer.status === 201) this.linkIds.push(answer.body.id);
    this.hold(answer, this.answers.link(step));
  }

  private async ask(step: Step & { kind: 'ask' }): Promise<void> {
    const asked = await this.person.post<Gate>(`${this.path(step.issue)}/gates`, { question: 'Why?' });
    if (asked.status === 201) this.gateIds.push(asked.body.id);
    this.hold(asked, this.answers.ask(step));
  }

  /** The service notices by itself that the time of an open gate is over. */
  private async expire(step: Step & { gate: number }): Promise<void> {
    const { status } = this.answers.closeGate(step.gate);
    if (status !== 200) return;
    await makeDue(this.service, this.gate(step));
    await until(async () => (await readGate(this.person, this.gate(step))).state === 'expired');
  }

  private async beat(step: Step & { kind: 'beat' }): Promise<void> {
    const leases = this.workers
      .leasesOf(step.agent)
      .map(({ issue, token }) => ({ issueId: this.issueIds[issue.number], token }));
    const expected = this.workers.beat(step);
    const answer = await this.agents[step.agent].post<Heartbeat>('/api/agents/me/heartbeat', {
      leases,
      ...(step.capacity !== null && { capacity: step.capacity }),
    });
    expect(answer).toMatchObject({ status: 200 });
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
    this.hold(answer, this.workers.put(step));
  }

  private hold(answer: Answer<unknown>, { status, code, issue }: Expected): void {
    const body = answer.body as Partial<Issue> & { code?: string };
    expect({ status: answer.status, code: status >= 400 ? body.code : undefined }).toEqual({ status, code });
    if (issue)
      expect({ status: body.status, paused: body.paused }).toEqual({
        status: issue.status,
        paused: issue.paused,
      });
  }

  private gate({ gate }: Step & { gate: number }): { id: string } {
    return { id: this.gateIds[gate]! };
  }

  private path(issue: number): string {
    return `/api/projects/issues/${this.issueIds[issue]}`;
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
