import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import type { AgentTool } from '../agent-tools/agent-tool.js';
import { AgentToolsService } from '../agent-tools/agent-tools.service.js';
import { TasksService } from '../approvals/tasks.service.js';
import type { Answer } from '../calls/exchange.js';
import {
  CompletionsService,
  PromptsService,
  ResourcesService,
} from '../server-offers/prompts-and-resources.service.js';

type Loose = Record<string, unknown>;

/** The methods that the SDK's server handles for the endpoint in both eras. tools/call has a handler of its own. */
@Injectable()
export class MethodsService {
  private readonly ofBoth: Record<string, Answer> = {
    'tools/list': async (agent) => ({ tools: (await this.tools.list(agent)).map(toldOf) }),
    'prompts/list': (agent) => this.prompts.list(agent),
    'prompts/get': (agent, params, exchange) => this.prompts.get(agent, params, exchange),
    'resources/list': (agent) => this.resources.list(agent),
    'resources/templates/list': (agent) => this.resources.templates(agent),
    'resources/read': (agent, params, exchange) => this.resources.read(agent, params, exchange),
    'completion/complete': (agent, params, exchange) => this.completions.complete(agent, params, exchange),
  };

  constructor(
    private readonly tools: AgentToolsService,
    private readonly prompts: PromptsService,
    private readonly resources: ResourcesService,
    private readonly completions: CompletionsService,
    private readonly tasks: TasksService,
  ) {}

  of(era: 'session' | 'stateless'): Record<string, Answer> {
    return era === 'session'
      ? { ...this.ofBoth, ...this.tasks.ofSession, 'tools/list': (agent) => this.listWithTasks(agent) }
      : { ...this.ofBoth, ...this.tasks.ofExtension };
  }

  /** A client of 2025-11-25 calls only such tools as tasks as say so. */
  private async listWithTasks(agent: AgentPrincipal): Promise<Loose> {
    const tools = await this.tools.list(agent);
    const withTask = { execution: { taskSupport: 'optional' } };
    return { tools: tools.map((tool) => ({ ...toldOf(tool), ...(tool.asks && !agent.lease && withTask) })) };
  }
}

/** Returns a tool in the form of MCP, with its members in the order of its server and without absent ones. */
export function toldOf({
  serverId: _id,
  serverName: _server,
  toolName: _own,
  asks: _asks,
  ...tool
}: AgentTool): Loose {
  const { description, ...rest } = tool;
  return description === null ? rest : tool;
}
