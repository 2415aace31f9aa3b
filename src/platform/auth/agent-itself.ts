import { Forbidden } from './auth.errors.js';
import type { AgentPrincipal, Principal } from './principal.js';

/**
 * Returns the caller where it is an agent, and the one that the path names.
 * @param named the path's `agentId`; undefined where the path names no agent
 * @throws {Forbidden}
 */
export function requireAgentItself(caller: Principal, named: string | string[] | undefined): AgentPrincipal {
  if (caller.type !== 'agent') throw new Forbidden('Only the agent itself may do this. Send its own key.');
  if (named !== undefined && named !== 'me' && named !== caller.id)
    throw new Forbidden('An agent may do this only for itself.');
  return caller;
}
