import type { NextFunction, Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { KeyAuthentication } from '../../../platform/auth/key-authentication.js';
import { actorOf, type AgentPrincipal, type Principal } from '../../../platform/auth/principal.js';
import { currentOrigin } from '../../../platform/journal/journal-context.js';
import { OriginRule } from '../origin-rule.js';
import { FrameFault, readFrame } from '../protocol/frame.js';
import { directCallOf } from './direct-call.js';
import { DirectCalls } from './direct-calls.js';

/**
 * The short way of an agent's tool call: it stands before the router, proves the key, and answers what is plainly
 * a call. Whatever is not goes on to the endpoint's route, with its guard and its refusals, as if nothing had been;
 * so there is no refusal here but that of a key that is none. Same order as there: key, Origin, body.
 */
@Injectable()
export class FastLane {
  constructor(
    private readonly keys: KeyAuthentication,
    private readonly origins: OriginRule,
    private readonly calls: DirectCalls,
  ) {}

  readonly handle = (
    request: Request & { user?: Principal },
    response: Response,
    next: NextFunction,
  ): void | Promise<void> => {
    const key = mayBeCall(request) ? AGENT_KEY.exec(request.headers.authorization ?? '')?.[1] : undefined;
    return key === undefined ? next() : this.serveOrPassOn(key, request, response, next);
  };

  /** A fault goes to the filter of all routes: Express hands on what a promise of a middleware rejects with. */
  private async serveOrPassOn(
    key: string,
    request: Request & { user?: Principal },
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    if (!(await this.serve(key, request, response))) next();
  }

  private async serve(
    key: string,
    request: Request & { user?: Principal },
    response: Response,
  ): Promise<boolean> {
    const agent = await this.keys.principalOf(key);
    if (agent.type !== 'agent' || !isNamed(agent, request)) return false;
    this.origins.enforce(request.headers.origin);
    const call = directCallOf(request.headers, await frameOf(request));
    if (!call) return false;
    request.user = agent;
    const origin = currentOrigin();
    if (origin) origin.actor = actorOf(agent);
    return this.calls.answer(agent, call, request, response);
  }
}

/** Told by the headers alone, before anything is read. */
function mayBeCall({ method, path, headers }: Request): boolean {
  return (
    method === 'POST' &&
    PATH.test(path) &&
    (headers['mcp-session-id'] !== undefined || headers['mcp-method'] === 'tools/call')
  );
}

function isNamed({ id }: AgentPrincipal, { path }: Request): boolean {
  const named = PATH.exec(path)?.[1];
  return named === undefined || named === 'me' || named === id;
}

/** A body that is no frame is the route's to refuse; it sees the same fault. */
async function frameOf(request: Request): Promise<unknown> {
  try {
    return await readFrame(request);
  } catch (fault) {
    if (fault instanceof FrameFault) return null;
    throw fault;
  }
}

const PATH = /^\/(?:mcp|api\/agents\/([^/]+)\/mcp)$/;
const AGENT_KEY = /^Bearer (awp_a_\S+)$/i;
