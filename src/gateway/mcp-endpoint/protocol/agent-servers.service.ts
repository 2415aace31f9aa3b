import { Injectable, Logger } from '@nestjs/common';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { declaresTasks } from '../tasks/task-wish.js';
import { MethodsService } from './methods.service.js';
import type { Answer } from './answer.js';
import { ANY_OBJECT } from './any-object.js';
import { OwnErrorsService } from './own-errors.service.js';
import { PassThroughServer } from './pass-through-server.js';
import { ProgressRelay } from './progress-relay.js';
import { capabilitiesOf, IDENTITY } from './server-identity.js';

type Loose = Record<string, unknown>;

/** Makes the SDK's server for one agent: of a session in the old era, of a single request in the new one. */
@Injectable()
export class AgentServersService {
  private readonly log = new Logger(AgentServersService.name);

  constructor(
    private readonly methods: MethodsService,
    private readonly faults: OwnErrorsService,
    private readonly settings: Settings,
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
    const server = new PassThroughServer(IDENTITY, { capabilities, instructions });
    server.onerror = (error) => this.log.debug(error.message);
    for (const [method, answer] of Object.entries({ ...this.methods.of(era), ...further })) {
      server.setRequestHandler(method, { params: ANY_OBJECT }, async (params, context) =>
        this.guarded(method, async () => {
          const relay = new ProgressRelay(context, this.settings.limits.mcpNotificationMaxBytes);
          const result = await answer(agent(), params, exchangeOf(context, relay));
          await relay.sent();
          return result;
        }),
      );
    }
    return server;
  }

  private async guarded(method: string, work: () => Promise<Loose>): Promise<Loose> {
    try {
      return await work();
    } catch (fault) {
      throw this.faults.asProtocolError(fault, method);
    }
  }
}

function exchangeOf(context: ServerContext, { onProgress }: ProgressRelay) {
  const { signal, envelope } = context.mcpReq;
  return { signal, onProgress, ...(declaresTasks(envelope) && { task: 'later' as const }) };
}
