import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { AgentTools, type AgentTool } from '../../agent-tools/agent-tools.js';
import { PLATFORM_PREFIX } from '../../agent-tools/platform-tools.js';
import type { Exchange } from '../calls/exchange.js';
import { ToolCalls } from '../calls/tool-calls.js';
import { Completions } from '../lists/completions.js';
import { Prompts } from '../lists/prompts.js';
import { Resources } from '../lists/resources.js';
import { PlatformCalls } from '../platform-calls/platform-calls.js';

type Loose = Record<string, unknown>;

/** @throws {ProtocolError} */
export type Answer = (agent: AgentPrincipal, params: Loose, exchange: Exchange) => Promise<Loose>;

/** What the endpoint answers, method by method, whichever era asks. */
@Injectable()
export class Methods {
  readonly table: Record<string, Answer> = {
    'tools/list': async (agent) => ({ tools: (await this.tools.list(agent)).map(toldOf) }),
    'tools/call': (agent, params, exchange) => this.callTool(agent, params, exchange),
    'prompts/list': (agent) => this.prompts.list(agent),
    'prompts/get': (agent, params, exchange) => this.prompts.get(agent, params, exchange),
    'resources/list': (agent) => this.resources.list(agent),
    'resources/templates/list': (agent) => this.resources.templates(agent),
    'resources/read': (agent, params, exchange) => this.resources.read(agent, params, exchange),
    'completion/complete': (agent, params, exchange) => this.completions.complete(agent, params, exchange),
  };

  constructor(
    private readonly tools: AgentTools,
    private readonly toolCalls: ToolCalls,
    private readonly platformCalls: PlatformCalls,
    private readonly prompts: Prompts,
    private readonly resources: Resources,
    private readonly completions: Completions,
  ) {}

  private callTool(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const { name } = params;
    if (typeof name === 'string' && name.startsWith(PLATFORM_PREFIX))
      return this.platformCalls.call(agent, name, params.arguments);
    return this.toolCalls.call(agent, params, exchange);
  }
}

/** A tool as MCP tells it: what is not there is left out. */
function toldOf({ name, title, description, inputSchema, outputSchema, annotations }: AgentTool): Loose {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== null && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
}
