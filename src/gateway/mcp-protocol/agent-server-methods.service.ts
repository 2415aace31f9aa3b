import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings, VERSION } from '../../platform/config/settings.js';
import { databaseProblem } from '../../platform/health/database-outage-answers.js';
import { AnswerBytes } from '../../platform/http/byte-limits.js';
import { withMarks, withNumbers } from '../../platform/json/exact-json.js';
import type { AgentTool } from '../agent-tools/agent-tool.js';
import { AgentToolsService } from '../agent-tools/agent-tools.service.js';
import { TasksService } from '../approvals/tasks.service.js';
import type { Answer } from '../calls/exchange.js';
import { declaresTasks, TASKS_EXTENSION } from '../calls/request-meta-and-task-wish.js';
import {
  CompletionsService,
  PromptsService,
  ResourcesService,
} from '../server-offers/prompts-resources-completions.service.js';
import { SESSION_REVISIONS } from './client-frame.js';
import { ProgressRelay } from './progress-relay.js';

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

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server without validation of results. The SDK would drop unknown fields and replace invalid results by errors
 * of its own. A gateway passes on the responses of servers unchanged (contract §7).
 */
export class PassThroughServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}

/** How the endpoint presents itself to clients. */
export const IDENTITY = { name: 'agent-work-platform', title: 'Agent Work Platform', version: VERSION };

/** The same for every agent at any time, because a grant may add prompts or resources to a session that has begun. */
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
};

/** A session has a stream, which also carries notifications of single resources, and what servers log. */
export const SESSION_CAPABILITIES = {
  ...CAPABILITIES,
  resources: { listChanged: true, subscribe: true },
  logging: {},
};

/** Returns what a server for this caller declares. A lease key ends with the wait of its call, so it has no tasks. */
export function capabilitiesOf(era: 'session' | 'stateless', { lease }: Pick<AgentPrincipal, 'lease'>) {
  if (lease) return era === 'session' ? SESSION_CAPABILITIES : CAPABILITIES;
  return era === 'session'
    ? { ...SESSION_CAPABILITIES, tasks: { cancel: {}, requests: { tools: { call: {} } } } }
    : { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } };
}

/** Accepts parameters unchanged. With a schema of its own the SDK would drop unknown fields. */
export const ANY_OBJECT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'agent-work-platform',
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
};

/** Turns errors of this service into JSON-RPC errors for clients. */
const LOG = new Logger('McpEndpoint');

/** Returns what the client gets. An internal error reaches the log only; the client sees neither SQL nor a stack. */
export function ownErrorOf(fault: unknown, method: string): ProtocolError {
  if (fault instanceof ProtocolError) return fault;
  const problem = databaseProblem(fault);
  if (problem) return new ProtocolError(ProtocolErrorCode.InternalError, problem.detail);
  LOG.error({ method, fault: fault instanceof Error ? fault.stack : String(fault) });
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    'The service had an internal error. Try again, or report it to an admin.',
  );
}

/** The code of errors that JSON-RPC leaves to the service. */
const UNREAD = -32_000;

/** Makes the SDK's server for one agent: of a session in the old era, of a single request in the new one. */
@Injectable()
export class AgentServersService {
  private readonly log = new Logger(AgentServersService.name);

  constructor(
    private readonly methods: MethodsService,
    private readonly settings: Settings,
    private readonly answers: AnswerBytes,
  ) {}

  /**
   * @param agent who asks at the moment of a request
   * @param instructions for the agent's model; only the response to a greeting carries them
   * @param further handlers that only a session has, by method
   */
  serverFor(
    agent: () => AgentPrincipal,
    instructions?: string,
    further: Record<string, Answer> = {},
  ): PassThroughServer {
    const era = 'resources/subscribe' in further ? 'session' : 'stateless';
    const capabilities = capabilitiesOf(era, agent());
    const server = new PassThroughServer(IDENTITY, {
      capabilities,
      instructions,
      supportedProtocolVersions: SESSION_REVISIONS,
    });
    server.onerror = (error) => this.log.debug(error.message);
    for (const [method, answer] of Object.entries({ ...this.methods.of(era), ...further })) {
      server.setRequestHandler(method, { params: ANY_OBJECT }, async (params, context) =>
        this.guarded(method, async () => {
          const relay = new ProgressRelay(context, this.settings.limits.mcpNotificationMaxBytes);
          this.requireRoom(agent());
          const result = await answer(agent(), withNumbers(params), exchangeOf(context, relay));
          // Others may have been answered meanwhile, which are not read either.
          this.requireRoom(agent());
          await relay.sent();
          return withMarks(result);
        }),
      );
    }
    return server;
  }

  /** @throws {ProtocolError} for an agent that has left as much unread as it may */
  private requireRoom({ id }: AgentPrincipal): void {
    const unread = this.answers.refusedFor(id);
    if (unread !== null)
      throw new ProtocolError(
        UNREAD,
        `You have ${unread} bytes of earlier answers to read. Read them, then ask again.`,
      );
  }

  private async guarded(method: string, work: () => Promise<Loose>): Promise<Loose> {
    try {
      return await work();
    } catch (fault) {
      const { code, message, data } = ownErrorOf(fault, method);
      throw new ProtocolError(code, message, withMarks(data));
    }
  }
}

function exchangeOf(context: ServerContext, { onProgress }: ProgressRelay) {
  const { signal, envelope } = context.mcpReq;
  return { signal, onProgress, ...(declaresTasks(envelope) && { task: 'later' as const }) };
}
