import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { NotFound, Problem } from '../../../platform/http/problem/problem.js';
import { SYSTEM } from '../../../platform/journal/journal-context.js';
import { GateAnswersRepository } from '../../../work/gates/answers/gate-answers.repository.js';
import { GateClosingService } from '../../../work/gates/gate-closing.service.js';
import { GateOpeningService } from '../../../work/gates/gate-opening.service.js';
import type { GateRow } from '../../../work/gates/gate-row.js';
import { GatesRepository } from '../../../work/gates/gates.repository.js';
import type { AskedCall } from '../approvals/asked-call.js';
import { DecisionWatchWorker } from '../approvals/waiting/decision-watch.worker.js';
import { QuestionDeclined } from './question-declined.js';
import type { QuestionForm } from './question-form.js';
import { questionGateOf } from './question-gate.js';

type Loose = Record<string, unknown>;

/** Seconds after the end of its wait at which a question expires whose process has died. */
const GRACE_SECONDS = 10;

/**
 * Asks people while a call of the old protocol era runs. Such a server waits for the answer inside its call, so that the
 * call is held for the time of an approval, and the question is declined afterwards.
 */
@Injectable()
export class HeldQuestionsService {
  constructor(
    private readonly opening: GateOpeningService,
    private readonly closing: GateClosingService,
    private readonly gates: GatesRepository,
    private readonly answers: GateAnswersRepository,
    private readonly waits: DecisionWatchWorker,
    private readonly settings: Settings,
  ) {}

  /** @throws {QuestionDeclined} where no person is asked or answers in time */
  async ask(call: AskedCall, form: QuestionForm, over: AbortSignal): Promise<Loose> {
    const { approvalWaitSeconds: seconds } = this.settings;
    if (seconds === 0) throw new QuestionDeclined('calls do not wait for people (APPROVAL_WAIT_SECONDS)');
    const gate = await this.open(call, form, seconds);
    await this.waits.wait(gate.id, seconds * 1_000, over);
    // After an answer this changes nothing.
    await this.withdraw(gate);
    const closed = await this.gates.read(gate.id);
    await this.answers.markDelivered([gate.id]);
    if (closed?.answer && 'fields' in closed.answer)
      return { action: 'accept', content: closed.answer.fields ?? {} };
    throw new QuestionDeclined(over.aborted ? 'its call is over' : 'no person answered it in time');
  }

  private async open(call: AskedCall, form: QuestionForm, seconds: number): Promise<GateRow> {
    const gate = { ...questionGateOf(call, form), expiresInSeconds: seconds + GRACE_SECONDS };
    try {
      return await this.opening.open(gate);
    } catch (error) {
      if (error instanceof Problem) throw new QuestionDeclined(error.detail);
      throw error;
    }
  }

  private async withdraw(gate: GateRow): Promise<void> {
    try {
      await this.closing.close(gate, { state: 'withdrawn', by: SYSTEM }, () =>
        Promise.resolve({ isDelivered: true }),
      );
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }
}
