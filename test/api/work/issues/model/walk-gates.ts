import { expect } from '@jest/globals';
import type { Caller } from '../../../../support/caller.js';
import {
  aPullRequest,
  aStatus,
  type CodeHook,
  deliver,
  someSha,
} from '../../../../support/code-deliveries.js';
import type { Service } from '../../../../support/service.js';
import { until } from '../../../../support/until.js';
import { answer, makeDue, readGate, withdraw, type Gate } from '../../gates/gate-requests.js';
import { type Code, pullUrl } from '../../code/code-requests.js';
import type { Budget } from './budget-requests.js';
import { expectAnswer } from './expect-answer.js';
import type { ModelAnswers } from './model-answers.js';
import type { ModelGate, TrackerModel } from './tracker-model.js';

/** The gates of a walk: the questions that its person asks, checks, and those that the service opens for budgets. */
export class WalkGates {
  /** Indexed by the model's numbers. */
  private readonly ids: string[] = [];

  constructor(
    private readonly service: Service,
    private readonly person: Caller,
    private readonly model: TrackerModel,
    private readonly answers: ModelAnswers,
    private readonly path: (issue: number) => string,
    private readonly hook: CodeHook,
  ) {}

  async ask(step: { issue: number }): Promise<void> {
    const asked = await this.person.post<Gate>(`${this.path(step.issue)}/gates`, { question: 'Why?' });
    if (asked.status === 201) this.ids.push(asked.body.id);
    expectAnswer(asked, this.answers.ask(step));
  }

  /** Each gate waits for a pull request of its own, whose number is that of the gate. */
  async awaitChecks({ issue }: { issue: number }): Promise<void> {
    const number = this.ids.length + 1;
    const linked = await this.person.post<Code>(`${this.path(issue)}/code`, { url: pullUrl(number) });
    const body = { kind: 'checks', codeId: linked.body.id };
    const opened =
      linked.status === 201 ? await this.person.post<Gate>(`${this.path(issue)}/gates`, body) : linked;
    if (opened.status === 201) this.ids.push(opened.body.id);
    expectAnswer(opened, this.answers.ask({ issue }, 'checks'));
  }

  /** Reads the gates that the service must have opened for budgets since the last call. */
  async findNew(): Promise<void> {
    for (const { issue } of this.model.gates.slice(this.ids.length)) {
      const { body } = await this.person.get<Budget>(`${this.path(issue.number)}/budget`);
      expect({ issue: issue.number, gateId: body.gateId }).toEqual({
        issue: issue.number,
        gateId: expect.any(String),
      });
      this.ids.push(body.gateId!);
    }
  }

  /** The budget of an issue is extended by more than a walk can use. */
  async answer({ gate }: { gate: number }): Promise<void> {
    if (this.named(gate).kind === 'checks') return this.report(gate);
    if (this.named(gate).kind === 'question')
      return expectAnswer(await answer(this.person, this.at(gate)), this.answers.closeGate(gate));
    const extended = await answer(this.person, this.at(gate), { decision: 'extend', by: 1_000_000 });
    expectAnswer(extended, this.answers.extendBudget(gate));
  }

  /** The gate of a budget goes with its budget. */
  async withdraw({ gate }: { gate: number }): Promise<void> {
    const { kind, issue } = this.named(gate);
    if (kind !== 'budget')
      return expectAnswer(await withdraw(this.person, this.at(gate)), this.answers.closeGate(gate));
    const removed = await this.person.delete(`${this.path(issue.number)}/budget`);
    expectAnswer(removed, this.answers.removeBudget(gate));
  }

  /** The service notices by itself that the time of an open question is over. A budget waits until a person stops it. */
  async expire({ gate }: { gate: number }): Promise<void> {
    if (this.named(gate).kind === 'budget') return this.stop(gate);
    const { status } = this.answers.closeGate(gate, false);
    if (status !== 200) return;
    await makeDue(this.service, this.at(gate));
    await until(async () => (await readGate(this.person, this.at(gate))).state === 'expired');
  }

  /** The code host reports checks, every second one as failed: both end the gate, and neither is by a person. */
  private async report(gate: number): Promise<void> {
    const sha = someSha();
    const { status } = this.answers.closeGate(gate, false);
    const pull = aPullRequest({ number: gate + 1, sha });
    expect((await deliver(this.service, this.hook, 'pull_request', pull)).status).toBe(200);
    const end = aStatus(sha, gate % 2 === 0 ? 'success' : 'failure');
    expect((await deliver(this.service, this.hook, 'status', end)).status).toBe(200);
    if (status !== 200) return;
    expect(await readGate(this.person, this.at(gate))).toMatchObject({
      state: 'answered',
      outcome: gate % 2 === 0 ? 'passed' : 'failed',
    });
  }

  private async stop(gate: number): Promise<void> {
    const stopped = await answer(this.person, this.at(gate), { decision: 'stop' });
    expectAnswer(stopped, this.answers.stopForBudget(gate));
  }

  private named(gate: number): ModelGate {
    return this.model.gates[gate]!;
  }

  private at(gate: number): { id: string } {
    return { id: this.ids[gate]! };
  }
}
