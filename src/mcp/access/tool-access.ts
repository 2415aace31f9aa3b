import { Injectable } from '@nestjs/common';
import { verdictOn, verdictOnServer, type CallVerdict } from './call-verdict.js';
import { ToolAccessRepository, type AgentToolRow, type AllowedServer } from './tool-access.repository.js';

/** What agents may use. Read from the database at every question: a change counts from the moment it is committed. */
@Injectable()
export class ToolAccess {
  constructor(private readonly access: ToolAccessRepository) {}

  /**
   * The servers that the agent can use now, by slug, each with the tools it is given, by name. A server without
   * any is listed too; its first listing may be outstanding (`toolsListed`).
   */
  allowedTools(agentId: string): Promise<AllowedServer[]> {
    return this.access.allowedServers(agentId);
  }

  /** Whether the agent may use anything of a server: its prompts and resources. @param server id or slug */
  async mayUse(agentId: string, server: string): Promise<CallVerdict> {
    return verdictOnServer(await this.access.findCall(agentId, server, ''));
  }

  /** @param server id or slug */
  async mayCall(agentId: string, server: string, toolName: string): Promise<CallVerdict> {
    return verdictOn(await this.access.findCall(agentId, server, toolName));
  }

  /** Every tool of every installed server, and why the agent has it or not. */
  explain(agentId: string): Promise<AgentToolRow[]> {
    return this.access.explain(agentId);
  }
}
