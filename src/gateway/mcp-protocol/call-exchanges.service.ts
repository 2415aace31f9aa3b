import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { AnswerBytes, whenClosed } from '../../platform/http/in-flight.js';
import type { CallRight } from '../calls/call-rights.service.js';
import { CancelledByClient, type Exchange } from '../calls/exchange.js';
import { ToolCallsService } from '../tool-calls/tool-calls.service.js';
import { ownErrorOf } from './agent-servers.service.js';
import type { AgentSession } from './agent-session.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { CallResponse } from './call-response.js';
import { sendSessionNotFound } from './frame.js';
import type { ResponseForms } from './response-form.js';
import type { ToolCall } from './tool-call.js';

/** A call whose caller is authenticated. */
export interface AdmittedCall {
  call: ToolCall;
  agent: AgentPrincipal;
  right: CallRight;
  forms: ResponseForms;
}

/** Runs an admitted call and writes its response, in the way of its protocol era. */
@Injectable()
export class CallExchangesService {
  constructor(
    private readonly calls: ToolCallsService,
    private readonly sessions: AgentSessionsService,
    private readonly settings: Settings,
    private readonly answers: AnswerBytes,
  ) {}

  /** Resolves when the response is written. Never rejects: an error becomes a JSON-RPC error. */
  async serve(admitted: AdmittedCall, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call, agent } = admitted;
    const hungUp = hangUpOf(response);
    if (call.era === 'stateless') {
      const questions = call.answersForms ? ('retry' as const) : undefined;
      return this.run(admitted, response, { signal: hungUp.signal, hungUp, questions });
    }
    const session = await this.sessions.find(String(headers['mcp-session-id']), agent);
    if (!session?.begun) return sendSessionNotFound(response);
    response.setHeader('mcp-session-id', session.id);
    const request = { sessionId: session.id, requestId: call.id };
    await session.run(agent, call.id, (signal) =>
      this.run(admitted, response, { signal, hungUp, request }, session),
    );
  }

  private async run(
    { call, agent, right, forms }: AdmittedCall,
    response: ServerResponse,
    ends: Pick<Exchange, 'signal' | 'hungUp' | 'request' | 'questions'>,
    session?: AgentSession,
  ): Promise<void> {
    const refusedFor = (bytes: number) => this.answers.refusedFor(agent.id, bytes);
    const answer = new CallResponse(response, call, { ...this.settings.limits, refusedFor });
    const { signal } = ends;
    const exchange: Exchange = { ...ends, onProgress: answer.onProgress, task: call.task };
    if (session)
      exchange.session = {
        name: session.name,
        holdsLeases: right.sessions?.includes(session.name) ?? false,
      };
    // A question reaches the client while its call runs, which takes a stream.
    if (session?.answersForms && forms.stream)
      exchange.questions = (params, over) => session.questions.ask((id) => answer.question(id, params), over);
    try {
      const result = await this.calls.call(agent, call.params, exchange, right);
      if (signal.reason instanceof CancelledByClient) answer.drop();
      else answer.result(result);
    } catch (error) {
      if (signal.reason instanceof CancelledByClient) answer.drop();
      else answer.error(ownErrorOf(error, 'tools/call'));
    }
  }
}

/** Aborts when the client closes its connection, which in the stateless era cancels the call, and in a session does not. */
function hangUpOf(response: ServerResponse): AbortController {
  const hungUp = new AbortController();
  whenClosed(response, () => {
    if (!response.writableFinished) hungUp.abort(new CancelledByClient());
  });
  return hungUp;
}
