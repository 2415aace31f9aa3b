import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { KnownRight } from '../calls/exchange.js';
import { Methods } from '../protocol/methods.js';
import { OwnFaults } from '../protocol/own-faults.js';
import { AgentSessions } from '../sessions/agent-sessions.js';
import { sendFault, sendResult } from './direct-answer.js';
import type { DirectCall } from './direct-call.js';

/** A call with its caller, and what was read of it. */
export interface AdmittedCall extends DirectCall {
  agent: AgentPrincipal;
  right: KnownRight;
}

/**
 * Answers plain tool calls without the SDK's server, which has nothing to add to them: the same method table, the
 * same faults, the same JSON. Most of what an agent's endpoint is asked is this.
 */
@Injectable()
export class DirectCalls {
  constructor(
    private readonly methods: Methods,
    private readonly sessions: AgentSessions,
    private readonly faults: OwnFaults,
  ) {}

  /** False where the call belongs to a session that is not there: then nothing was done. Never rejects. */
  async answer(call: AdmittedCall, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (call.era === 'stateless') {
      await this.call(call, response, signalOf(response));
      return true;
    }
    const session = this.sessions.find(String(request.headers['mcp-session-id']), call.agent);
    if (!session?.begun) return false;
    await session.direct(call.agent, call.id, (signal) => this.call(call, response, signal));
    return true;
  }

  private async call(call: AdmittedCall, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { agent, params, right } = call;
    try {
      sendResult(response, call, await this.methods.table['tools/call']!(agent, params, { signal, right }));
    } catch (fault) {
      sendFault(response, call, this.faults.asProtocolError(fault, 'tools/call'));
    }
  }
}

/** In the stateless era a client cancels by hanging up. */
function signalOf(response: ServerResponse): AbortSignal {
  const hungUp = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) hungUp.abort();
  });
  return hungUp.signal;
}
