import { Injectable } from '@nestjs/common';
import { LeaseStandingsRepository } from '../leases/lease-standings.repository.js';
import { AgentSessionsService } from '../sessions/agent-sessions.service.js';
import { AgentEndpointsService } from '../stateless/agent-endpoints.service.js';
import { ValidKeysRepository } from './valid-keys.repository.js';

export type List = 'tools' | 'prompts' | 'resources';

/** The agents that are connected to this process, in either era of the protocol. */
@Injectable()
export class ConnectedAgentsService {
  constructor(
    private readonly sessions: AgentSessionsService,
    private readonly endpoints: AgentEndpointsService,
    private readonly keys: ValidKeysRepository,
    private readonly standings: LeaseStandingsRepository,
  ) {}

  listens(agentId: string): boolean {
    return (
      this.sessions.of(agentId).length > 0 ||
      this.endpoints.allOf(agentId).some(({ subscriptions }) => subscriptions.size > 0)
    );
  }

  /** Notifies all sessions and subscriptions of this agent that the list has changed. */
  notify(agentId: string, list: List): void {
    for (const session of this.sessions.of(agentId)) void session.tellChanged(list);
    for (const endpoint of this.endpoints.allOf(agentId)) endpoint.tellChanged(list);
  }

  /** Ends the streams that were opened with a key that is no longer valid: a right that ended must not live on in one. */
  async dropInvalid(): Promise<void> {
    const open = [...this.sessions.all(), ...this.endpoints.subscriptions()];
    if (open.length === 0) return;
    const valid = await this.keys.among(open.flatMap(({ agent }) => (agent.lease ? [] : [agent.keyId])));
    const leases = open.flatMap(({ agent }) => (agent.lease ? [{ agentId: agent.id, ...agent.lease }] : []));
    const standings = await this.standings.read(leases);
    const living = new Set(
      leases.filter((_, at) => standings[at]!.good).map(({ issueId, token }) => `${issueId}#${token}`),
    );
    for (const stream of open)
      if (!(stream.agent.lease ? living : valid).has(stream.agent.keyId)) void stream.end();
  }
}
