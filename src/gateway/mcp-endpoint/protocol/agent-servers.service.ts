import { Injectable, Logger } from '@nestjs/common';
import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { withMarks, withNumbers } from '../../../platform/json/exact-json.js';
import { AnswerBytes } from '../../../platform/http/answer-bytes.js';
import { declaresTasks } from '../tasks/task-wish.js';
import { MethodsService } from './methods.service.js';
import type { Answer } from './answer.js';
import { ANY_OBJECT } from './any-object.js';
import { OwnErrorsService } from './own-errors.service.js';
import { PassThroughServer } from './pass-through-server.js';
import { ProgressRelay } from './progress-relay.js';
import { capabilitiesOf, IDENTITY } from './server-identity.js';

type Loose = Record<string, unknown>;

/** The code of errors that JSON-RPC leaves to the service. */
const UNREAD = -32_000;

/** Makes the SDK's server for one agent: of a session in the old era, of a single request in the new one. */
@Injectable()
export class AgentServersService {
  private readonly log = new Logger(AgentServersService.name);

  constructor(
    private readonly methods: MethodsService,
    private readonly faults: OwnErrorsService,
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
    const server = new PassThroughServer(IDENTITY, { capabilities, instructions });
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
      const { code, message, data } = this.faults.asProtocolError(fault, method);
      throw new ProtocolError(code, message, withMarks(data));
    }
  }
}

function exchangeOf(context: ServerContext, { onProgress }: ProgressRelay) {
  const { signal, envelope } = context.mcpReq;
  return { signal, onProgress, ...(declaresTasks(envelope) && { task: 'later' as const }) };
}
