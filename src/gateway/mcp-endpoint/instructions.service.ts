import { Injectable } from '@nestjs/common';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { instructionsFor } from './instructions-text.js';

/** Returns the instructions that the endpoint sends when a client initializes. */
@Injectable()
export class InstructionsService {
  constructor(private readonly access: ToolAccessService) {}

  async for(agent: AgentPrincipal): Promise<string> {
    return instructionsFor(await this.access.allowedTools(agent.id));
  }
}
