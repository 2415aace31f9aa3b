import { Injectable } from '@nestjs/common';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { IssueAccessService } from '../../work/issues/issue-access.service.js';
import { mayUseServers } from '../agent-tools/lease-required.js';
import { instructionsFor } from './instructions-text.js';

/** Returns the instructions that the endpoint sends when a client initializes. */
@Injectable()
export class InstructionsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly issues: IssueAccessService,
  ) {}

  async for(agent: AgentPrincipal): Promise<string> {
    const servers = mayUseServers(agent) ? await this.access.allowedTools(agent.id) : [];
    if (!agent.lease) return instructionsFor(servers);
    return instructionsFor(servers, await this.issues.read(agent, agent.lease.issueId));
  }
}
