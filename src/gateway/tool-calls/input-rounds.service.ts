import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Problem } from '../../platform/http/problem.js';
import { Gate, type GateAnswer } from '../../work/gates/gate.entity.js';
import { GateRepository } from '../../work/gates/gate.repository.js';
import { ApprovalRequestsService } from '../approvals/approval-requests.service.js';
import { type Admission, type Admitted, WaitingCallsService } from '../approvals/waiting-calls.service.js';
import type { AskedCall, Exchange } from '../calls/exchange.js';
import {
  answeredRetryOf,
  declinedRetryOf,
  type InputRequests,
  inputRequestsOf,
  oneFormOf,
  paramsOf,
  QuestionDeclined,
  type Retry,
  retryOf,
} from '../calls/question-form.js';
import { CallQuestionsService, questionGateOf } from './call-questions.service.js';

type Loose = Record<string, unknown>;

/** How long a client may take to answer, in milliseconds: as long as a call may take by default. */
const LONGEST_WAIT_MS = 300_000;

/** How a call goes on whose server needs input: with a further request, or with this result for the caller. */
export type NextRound =
  { retry: Retry; admitted?: Admitted } | { result: Loose; refused?: Extract<Admission, { result: Loose }> };

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
