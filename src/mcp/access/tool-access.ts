import { Injectable } from '@nestjs/common';
import {
  ToolAccessRepository,
  type AgentToolRow,
  type AllowedServer,
  type CallRow,
} from './tool-access.repository.js';
import type { RefusalReason } from './tool-verdict.js';

/** Whether an agent may call a tool now. `server` is there wherever the reference names one. */
export type CallVerdict =
  | { allowed: true; server: CallRow }
  | { allowed: false; server: CallRow | null; reason: RefusalReason | 'unknown_server' | 'unknown_tool' };

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
    const found = await this.access.findCall(agentId, server, '');
    if (!found) return { allowed: false, server: null, reason: 'unknown_server' };
    const { serverRefusal, toolRefusal: _tool, toolKnown: _known, ...row } = found;
    return serverRefusal
      ? { allowed: false, server: row, reason: serverRefusal }
      : { allowed: true, server: row };
  }

  /** @param server id or slug */
  async mayCall(agentId: string, server: string, toolName: string): Promise<CallVerdict> {
    const found = await this.access.findCall(agentId, server, toolName);
    if (!found) return { allowed: false, server: null, reason: 'unknown_server' };
    const { serverRefusal, toolRefusal, toolKnown, ...row } = found;
    if (serverRefusal) return { allowed: false, server: row, reason: serverRefusal };
    if (!toolKnown) return { allowed: false, server: row, reason: 'unknown_tool' };
    return toolRefusal
      ? { allowed: false, server: row, reason: toolRefusal }
      : { allowed: true, server: row };
  }

  /** Every tool of every installed server, and why the agent has it or not. */
  explain(agentId: string): Promise<AgentToolRow[]> {
    return this.access.explain(agentId);
  }
}
