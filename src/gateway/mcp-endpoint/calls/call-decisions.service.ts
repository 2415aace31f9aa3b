import { Injectable } from '@nestjs/common';
import { originalOf, partsOf, type AdvertisedParts } from '../../../mcp/access/advertised-name.js';
import { ToolAccessService } from '../../../mcp/access/tool-access.service.js';
import { CallRightsService, type CallRight } from './call-rights.service.js';
import { notYours } from './refused-call.js';

/** The right of a call together with the server's own name of the tool. */
export interface CallDecision extends CallRight {
  toolName: string;
}

/** Decides which tool a name means, and whether the agent may call it. */
@Injectable()
export class CallDecisionsService {
  constructor(
    private readonly rights: CallRightsService,
    private readonly access: ToolAccessService,
  ) {}

  /**
   * @param known the right, where it was read together with the caller's key
   * @throws {ProtocolError} for a name that cannot belong to a server's tool
   */
  async decide(agentId: string, name: unknown, known?: CallRight): Promise<CallDecision> {
    const parts = partsOf(name);
    if (!parts) throw notYours(name);
    const right = known ?? (await this.rights.read(agentId, parts.slug, parts.name));
    const { verdict } = right;
    if (!parts.mayBeChanged || verdict.allowed || verdict.reason !== 'unknown_tool')
      return { ...right, toolName: parts.name };
    const toolName = await this.originalName(agentId, String(name), parts);
    return { ...(await this.rights.read(agentId, parts.slug, toolName)), toolName };
  }

  /** A name that was changed or cut is found by comparing it with the names of all tools of the server. */
  private async originalName(agentId: string, advertised: string, parts: AdvertisedParts): Promise<string> {
    const tools = await this.access.explain(agentId);
    const names = tools.filter(({ slug }) => slug === parts.slug).map(({ name }) => name);
    return originalOf(advertised, parts.slug, names) ?? parts.name;
  }
}
