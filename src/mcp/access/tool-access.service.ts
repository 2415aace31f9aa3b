import { Injectable } from '@nestjs/common';
import { type CallVerdict, verdictOnServer } from './call-verdict.js';
import { type AgentToolRow, type AllowedServer, ToolAccessRepository } from './tool-access.repository.js';

/** Decides what agents may use. Every query reads the database, so that a change takes effect when it is committed. */
@Injectable()
export class ToolAccessService {
  constructor(private readonly access: ToolAccessRepository) {}

  /**
   * Returns the servers that the agent may use now, by slug, each with the tools that it may call in its own order. A server
   * without tools is listed too; its first listing may be outstanding (`toolsListed`).
   */
  allowedTools(agentId: string): Promise<AllowedServer[]> {
    return this.access.allowedServers(agentId);
  }

  /** Returns the servers whose prompts and resources the agent may use now, by slug. */
  async wholeServers(agentId: string): Promise<AllowedServer[]> {
    return (await this.access.allowedServers(agentId)).filter(({ narrowed }) => !narrowed);
  }

  /** Returns whether the agent may use a server's prompts and resources. @param server id or slug */
  async mayUse(agentId: string, server: string): Promise<CallVerdict> {
    return verdictOnServer(await this.access.findCall(agentId, server, ''));
  }

  /** Returns every tool of every installed server, and why the agent may or may not use it. */
  explain(agentId: string): Promise<AgentToolRow[]> {
    return this.access.explain(agentId);
  }
}
