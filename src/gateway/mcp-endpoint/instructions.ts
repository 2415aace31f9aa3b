import { Injectable } from '@nestjs/common';
import { ToolAccess } from '../../mcp/access/tool-access.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { instructionsFor } from './instructions-text.js';

/** What an agent's model is told when its client greets the endpoint. */
@Injectable()
export class Instructions {
  constructor(private readonly access: ToolAccess) {}

  async for(agent: AgentPrincipal): Promise<string> {
    return instructionsFor(await this.access.allowedTools(agent.id));
  }
}
