import { Injectable } from '@nestjs/common';
import { AgentSessions } from '../sessions/agent-sessions.js';
import { AgentEndpoints } from '../stateless/agent-endpoints.js';
import { ValidKeysRepository } from './valid-keys.repository.js';

export type List = 'tools' | 'prompts' | 'resources';

/** The agents that are connected to this process, in either era. */
@Injectable()
export class Audience {
  constructor(
    private readonly sessions: AgentSessions,
    private readonly endpoints: AgentEndpoints,
    private readonly keys: ValidKeysRepository,
  ) {}

  listens(agentId: string): boolean {
    return (
      this.sessions.of(agentId).length > 0 || (this.endpoints.find(agentId)?.subscriptions.size ?? 0) > 0
    );
  }

  /** To all sessions and subscriptions of this agent, and to nobody else's. */
  tell(agentId: string, list: List): void {
    for (const session of this.sessions.of(agentId)) void session.tellChanged(list);
    this.endpoints.find(agentId)?.tellChanged(list);
  }

  /** Ends what was opened with keys that are no more; a right that is gone must not live on in an open stream. */
  async dropInvalid(): Promise<void> {
    const open = [...this.sessions.all(), ...this.endpoints.subscriptions()];
    const valid = await this.keys.among(open.map(({ keyId }) => keyId));
    for (const stream of open) if (!valid.has(stream.keyId)) void stream.end();
  }
}
