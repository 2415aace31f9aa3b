import { expect } from '@jest/globals';
import type { Caller } from '../../../../support/caller.js';
import type { Service } from '../../../../support/service.js';
import { until } from '../../../../support/until.js';
import { answer, makeDue, readGate, withdraw, type Gate } from '../../gates/gate-requests.js';
import type { Budget } from './budget-requests.js';
import { expectAnswer } from './expect-answer.js';
import type { ModelAnswers } from './model-answers.js';
import type { ModelGate, TrackerModel } from './tracker-model.js';

/** The gates of a walk: the questions that its person asks, and those that the service opens for budgets. */
export class WalkGates {
  /** Indexed by the model's numbers. */
  private readonly ids: string[] = [];

  constructor(
    private readonly service: Service,
    private readonly person: Caller,
    private readonly model: TrackerModel,
    private readonly answers: ModelAnswers,
    private readonly path: (issue: number) => string,
  ) {}

  async ask(step: { kind: 'ask'; issue: number }): Promise<void> {
    const asked = await this.person.post<Gate>(`${this.path(step.issue)}/gates`, { question: 'Why?' });
    if (asked.status === 201) this.ids.push(asked.body.id);
    expectAnswer(asked, this.answers.ask(step));
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
    if (this.named(gate).kind === 'question')
      return expectAnswer(await answer(this.person, this.at(gate)), this.answers.closeGate(gate));
    const extended = await answer(this.person, this.at(gate), { decision: 'extend', by: 1_000_000 });
    expectAnswer(extended, this.answers.extendBudget(gate));
  }

  /** The gate of a budget goes with its budget. */
  async withdraw({ gate }: { gate: number }): Promise<void> {
    const { kind, issue } = this.named(gate);
    if (kind === 'question')
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
