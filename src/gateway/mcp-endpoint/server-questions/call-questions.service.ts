import { Injectable, Logger } from '@nestjs/common';
import type { AskedCall } from '../approvals/asked-call.js';
import type { Exchange } from '../calls/exchange.js';
import { HeldQuestionsService } from './held-questions.service.js';
import { QuestionDeclined } from './question-declined.js';
import { paramsOf, questionFormOf } from './question-form.js';

type Loose = Record<string, unknown>;

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
