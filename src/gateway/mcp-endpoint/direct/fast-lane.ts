import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { KeyAuthentication } from '../../../platform/auth/key-authentication.js';
import { actorOf, type AgentPrincipal, type Principal } from '../../../platform/auth/principal.js';
import { currentOrigin } from '../../../platform/journal/journal-context.js';
import { partsOf } from '../calls/advertised.js';
import { readFrame } from '../protocol/frame.js';
import { CallRights } from './call-rights.js';
import { directCallOf } from './direct-call.js';
import { DirectCalls, type AdmittedCall } from './direct-calls.js';

/** What other steps look for in a request: who calls, and the template of its route. */
type Marked = IncomingMessage & { user?: Principal; route?: { path: string } };

/**
 * The short way of an agent's tool call: it stands before Express, and answers what is plainly a call of somebody who
 * may come in. Whatever is not, faults included, goes on to the endpoint's route, with its guard and its refusals, as
 * if nothing had been: so there is no refusal here. Same order as there: key, then body, where that is yet to come.
 */
@Injectable()
export class FastLane {
  constructor(
    private readonly keys: KeyAuthentication,
    private readonly rights: CallRights,
    private readonly calls: DirectCalls,
  ) {}

  readonly handle = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const key = mayBeCall(request) ? AGENT_KEY.exec(request.headers.authorization ?? '')?.[1] : undefined;
    if (key === undefined) next();
    else void this.answerOrPassOn(key, request, response, next);
  };

  private async answerOrPassOn(
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ): Promise<void> {
    const call = await this.admitted(key, request).catch(() => null);
    if (!call || !(await this.calls.answer(call, request, response))) next();
  }

  /** null, or a fault, for what is not to be answered here. */
  private async admitted(key: string, request: Marked): Promise<AdmittedCall | null> {
    const frame = readFrame(request);
    if (!(await isWhole(request))) await this.keys.principalOf(key);
    const call = directCallOf(request.headers, await frame);
    if (!call) return null;
    const { caller, ...right } = await this.rights.read(key, partsOf(call.params.name));
    if (caller.type !== 'agent' || !isNamed(caller, request)) return null;
    mark(request, caller);
    return { ...call, agent: caller, right };
  }
}

/** Told by the headers alone, before anything is read. A browser's request has more to be asked. */
function mayBeCall({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    PATH.test(url) &&
    headers.origin === undefined &&
    Number(headers['content-length']) <= SMALL &&
    (headers['mcp-session-id'] !== undefined || headers['mcp-method'] === 'tools/call')
  );
}

/** Whether the body came along with the headers, which is known when the parser is through with what has arrived. */
function isWhole(request: IncomingMessage): Promise<boolean> {
  return new Promise((tell) => {
    request.once('end', () => tell(true));
    setImmediate(() => tell(request.complete));
  });
}

function isNamed({ id }: AgentPrincipal, { url = '' }: IncomingMessage): boolean {
  const named = PATH.exec(url)?.[1];
  return named === undefined || named === 'me' || named === id;
}

function mark(request: Marked, agent: AgentPrincipal): void {
  request.user = agent;
  request.route = { path: request.url === SHORT ? SHORT : '/api/agents/:agentId/mcp' };
  const origin = currentOrigin();
  if (origin) origin.actor = actorOf(agent);
}

/** So much of a body is taken in, in bytes, before it is known whose it is. */
const SMALL = 65_536;
const SHORT = '/mcp';
const PATH = /^\/(?:mcp|api\/agents\/([^/?#%]+)\/mcp)$/;
const AGENT_KEY = /^Bearer (awp_a_\S+)$/i;
