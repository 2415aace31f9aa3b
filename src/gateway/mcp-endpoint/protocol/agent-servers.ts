import { Injectable, Logger } from '@nestjs/common';
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { isUnavailable } from '../../../platform/database/postgres-errors.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { Methods } from './methods.js';
import { ANY_OBJECT } from './any-object.js';
import { PassThroughServer } from './pass-through-server.js';
import { ProgressRelay } from './progress-relay.js';
import { CAPABILITIES, IDENTITY } from './server-identity.js';

type Loose = Record<string, unknown>;

/** Makes the SDK's server for one agent: of a session in the old era, of a single request in the new one. */
@Injectable()
export class AgentServers {
  private readonly log = new Logger(AgentServers.name);

  constructor(private readonly methods: Methods) {}

  /**
   * @param agent who asks at the moment of a request
   * @param instructions what the agent's model is told of this server; only greetings carry it
   */
  serverFor(agent: () => AgentPrincipal, instructions?: string): PassThroughServer {
    const server = new PassThroughServer(IDENTITY, { capabilities: CAPABILITIES, instructions });
    server.onerror = (error) => this.log.debug(error.message);
    for (const [method, answer] of Object.entries(this.methods.table)) {
      server.setRequestHandler(method, { params: ANY_OBJECT }, async (params, context) =>
        this.guarded(method, async () => {
          const relay = new ProgressRelay(context);
          const result = await answer(agent(), params, exchangeOf(context, relay));
          await relay.sent();
          return result;
        }),
      );
    }
    return server;
  }

  /** Nothing of a fault of our own gets out: neither SQL nor a stack. */
  private async guarded(method: string, work: () => Promise<Loose>): Promise<Loose> {
    try {
      return await work();
    } catch (fault) {
      if (fault instanceof ProtocolError) throw fault;
      if (isUnavailable(fault))
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          'The database does not answer; try again in a moment.',
        );
      this.log.error({ method, fault: fault instanceof Error ? fault.stack : String(fault) });
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        'Something went wrong on our side; try again, or tell an admin.',
      );
    }
  }
}

function exchangeOf(context: ServerContext, { onProgress }: ProgressRelay) {
  return { signal: context.mcpReq.signal, onProgress };
}
