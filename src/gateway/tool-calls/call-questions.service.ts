import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { visibleText } from '../../platform/http/visible-text.js';
import { actorOf } from '../../platform/authentication/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { SYSTEM } from '../../platform/journal/journal.service.js';
import { Gate } from '../../work/gates/gate.entity.js';
import { GateRepository, type GateRow } from '../../work/gates/gate.repository.js';
import { GateClosingService } from '../../work/gates/gate-closing.service.js';
import { GateOpeningService, type NewGate } from '../../work/gates/gate-opening.service.js';
import { DecisionWatchWorker } from '../approvals/decision-watch.worker.js';
import type { AskedCall, Exchange } from '../calls/exchange.js';
import { paramsOf, QuestionDeclined, type QuestionForm, questionFormOf } from '../calls/question-form.js';

const LONGEST_TITLE = 200;

/** Returns the gate by which people answer a question that a server asks about a call. */
export function questionGateOf(
  { agent, server, tool, calledFor }: AskedCall,
  { message, schema }: QuestionForm,
): NewGate {
  const [toolName, serverName] = [visibleText(tool), visibleText(server.serverName)];
  const issueId = calledFor?.projectId ? calledFor.issueId : null;
  const title = Array.from(`${serverName} asks: ${message.trim().split('\n', 1)[0]}`);
  return {
    kind: 'question',
    projectId: issueId && calledFor!.projectId,
    issueId,
    agentId: agent.id,
    title: title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).join('')}…` : title.join(''),
    detail: `The server ${serverName} asks this, not the agent ${agent.name} that calls its tool ${toolName}:\n\n${message}`,
    request: { question: message, schema, serverId: server.serverId, serverName, toolName },
    holds: false,
    openedBy: actorOf(agent),
  };
}

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
