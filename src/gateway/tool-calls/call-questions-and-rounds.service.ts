import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { SYSTEM } from '../../platform/journal/journal.service.js';
import { GateClosingService } from '../../work/gates/gate-closing.service.js';
import { GateOpeningService } from '../../work/gates/gate-opening.service.js';
import { Gate, type GateAnswer } from '../../work/gates/gate.entity.js';
import { GateRepository, type GateRow } from '../../work/gates/gate.repository.js';
import { ApprovalRequestsService } from '../approvals/approval-requests-and-errors.service.js';
import { DecisionWatchWorker } from '../approvals/decision-watch.worker.js';
import {
  type Admission,
  type Admitted,
  WaitingCallsService,
} from '../approvals/waiting-and-parked-calls.service.js';
import type { AskedCall, Exchange } from '../calls/exchange.js';
import {
  answeredRetryOf,
  declinedRetryOf,
  type InputRequests,
  inputRequestsOf,
  oneFormOf,
  paramsOf,
  QuestionDeclined,
  type QuestionForm,
  questionGateOf,
  questionFormOf,
  type Retry,
  retryOf,
} from '../calls/question-form-and-gate.js';

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
    @InjectRepository(Gate) private readonly gates: GateRepository,
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
    await this.gates.markDelivered([gate.id]);
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

/** The most bytes of an answer that a client gives. */
const MOST_BYTES = 65_536;

/** Answers the questions that servers ask while their tools run (`elicitation/create`, contract §5.7). */
@Injectable()
export class CallQuestionsService {
  private readonly log = new Logger(CallQuestionsService.name);

  constructor(private readonly held: HeldQuestionsService) {}

  /**
   * Returns the answer for the server. The client of the call is asked where it declares that it can be, a person
   * otherwise.
   * @param over aborts when the call is over
   */
  async ask(
    call: AskedCall,
    params: unknown,
    client: Exchange['questions'],
    over: AbortSignal,
  ): Promise<Loose> {
    try {
      const form = questionFormOf(params);
      if (client instanceof Function) return bounded(await client(paramsOf(form), over));
      return await this.held.ask(call, form, over);
    } catch (error) {
      if (!(error instanceof QuestionDeclined)) throw error;
      this.declined(call, error);
      return { action: 'decline' };
    }
  }

  /** Logs that a question was declined. The answer for the server says so as well. */
  declined({ server, tool, agent }: AskedCall, { message }: QuestionDeclined): void {
    this.log.warn(
      `The question that server ${server.slug} asked during ${tool} for agent ${agent.id} was declined, because ${message}`,
    );
  }
}

/** What a client answers is the server's to check against its form. */
function bounded(answer: Loose): Loose {
  const { action, content } = answer;
  if (action !== 'accept') return { action: action === 'decline' ? action : 'cancel' };
  if (Buffer.byteLength(JSON.stringify(content ?? {})) > MOST_BYTES)
    throw new QuestionDeclined('the answer is too large');
  return { action, content: content ?? {} };
}

/** How long a client may take to answer, in milliseconds: as long as a call may take by default. */
const LONGEST_WAIT_MS = 300_000;

/** How a call goes on whose server needs input: with a further request, or with this result for the caller. */
export type NextRound =
  | { retry: Retry; admitted?: Admitted }
  | { result: Loose; refused?: Extract<Admission, { result: Loose }> };

/**
 * Answers `input_required` of servers of 2026-07-28 (contract §5.7). Such a server keeps nothing open: the call is made
 * again with the answers. A person's answer may therefore come after the caller has gone, and the service then finishes
 * the call as it executes an approved one.
 */
@Injectable()
export class InputRoundsService {
  constructor(
    private readonly questions: CallQuestionsService,
    private readonly requests: ApprovalRequestsService,
    private readonly waiting: WaitingCallsService,
    @InjectRepository(Gate) private readonly gates: GateRepository,
  ) {}

  /**
   * @param isApproved whether a person approved the call: it is made once, so nothing may be asked that ends its request
   * @throws {LeaseOver}
   */
  async next(call: AskedCall, result: Loose, exchange: Exchange, isApproved: boolean): Promise<NextRound> {
    try {
      const input = inputRequestsOf(result);
      const { questions: client } = exchange;
      if (input.forms.length === 0) return { retry: retryOf({}, input.requestState) };
      if (client instanceof Function) return { retry: await this.askClient(call, input, exchange) };
      if (isApproved) throw new QuestionDeclined('the call was approved and cannot be interrupted');
      return client === 'retry' ? { result: passedOn(input) } : await this.askPerson(call, input, exchange);
    } catch (error) {
      if (!(error instanceof QuestionDeclined)) throw error;
      this.questions.declined(call, error);
      return { retry: declinedRetryOf(result) };
    }
  }

  private async askClient(
    call: AskedCall,
    { forms, requestState }: InputRequests,
    { questions, signal, hungUp }: Exchange,
  ): Promise<Retry> {
    const ends = [signal, hungUp?.signal, AbortSignal.timeout(LONGEST_WAIT_MS)];
    const over = AbortSignal.any(ends.filter((end) => end !== undefined));
    const responses: Retry['inputResponses'] = {};
    for (const [key, form] of forms)
      responses[key] = await this.questions.ask(call, paramsOf(form), questions, over);
    return retryOf(responses, requestState);
  }

  private async askPerson(call: AskedCall, input: InputRequests, exchange: Exchange): Promise<NextRound> {
    const keys = input.forms.map(([key]) => key);
    const exact = { arguments: call.args.value, keys, requestState: input.requestState };
    try {
      const gate = await this.requests.openQuestion(call, questionGateOf(call, oneFormOf(input)), exact);
      const admission = await this.waiting.decided(call, gate, exchange);
      if ('result' in admission) return { result: admission.result, refused: admission };
      const answer = await this.answerTo(gate.id, admission);
      return { retry: answeredRetryOf(keys, answer, input.requestState), admitted: admission };
    } catch (error) {
      if (error instanceof Problem) throw new QuestionDeclined(error.detail);
      throw error;
    }
  }

  /** The call is claimed by now: where its answer cannot be read, no other process makes it. */
  private async answerTo(gateId: string, { end }: Admitted): Promise<GateAnswer | null> {
    try {
      return (await this.gates.read(gateId))?.answer ?? null;
    } catch (error) {
      await end({ outcome: 'unknown', reason: 'internal' });
      throw error;
    }
  }
}

function passedOn({ forms, requestState }: InputRequests): Loose {
  const requests = forms.map(([key, form]) => [
    key,
    { method: 'elicitation/create', params: paramsOf(form) },
  ]);
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(requests) as Loose,
    ...(requestState !== undefined && { requestState }),
  };
}
