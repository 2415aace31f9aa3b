import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { EXIT_RETRY, StartError } from '../../platform/exit/exit-codes.js';
import { type Origin, withOrigin } from '../../platform/journal/journal.service.js';
import { CallStartsService } from '../tools-hosts/call-starts.service.js';
import { InternalKeysService, TLS_OPTIONS } from '../tools-hosts/internal-keys.service.js';
import { ProcessClaimsService } from '../tools-hosts/process-claims.service.js';
import { HostMoved, ServedRequest } from '../tools-hosts/served-request.js';
import { HostOperationsService } from './host-operations.service.js';

const LOOK_MS = 50;

/** Takes as long as its reader is there, and keeps no host from ending. */
const ENDLESS = 'events';

/**
 * The internal endpoint of a tools host (contract §9.3). Only who has the key of this installation gets as far as a
 * request.
 */
@Injectable()
export class ToolsEndpointWorker implements OnApplicationShutdown {
  private readonly log = new Logger(ToolsEndpointWorker.name);
  private server: Server | null = null;
  private isDraining = false;
  private running = 0;

  constructor(
    private readonly keys: InternalKeysService,
    private readonly operations: HostOperationsService,
    private readonly claims: ProcessClaimsService,
    private readonly starts: CallStartsService,
    private readonly settings: Settings,
  ) {}

  /** Listens at TOOLS_LISTEN. Returns the port. */
  async listen(): Promise<number> {
    const { host, port } = this.settings.toolsListen!;
    const pskCallback = (_: unknown, identity: string) => this.keys.byIdentity(identity);
    // A request lasts as long as its call.
    const options = { ...TLS_OPTIONS, keepAliveTimeout: 65_000, requestTimeout: 0, pskCallback };
    const server = createServer(options, (request, response) => this.serve(request, response));
    server.on('tlsClientError', (error: NodeJS.ErrnoException) =>
      this.log.warn(`A connection without the key of this installation was refused (${error.code}).`),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(cannotListen(error))).listen(port, host, resolve);
    });
    this.server = server;
    return (server.address() as AddressInfo).port;
  }

  /** Refuses new requests from now on, so that their callers go to another host. */
  refuseNew(): void {
    this.isDraining = true;
  }

  /** Resolves when no request runs, or after `withinMs`. */
  async quiet(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    while (this.running > 0 && performance.now() < until) await sleep(LOOK_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    request.socket.setNoDelay(true);
    const served = new ServedRequest(request, response, this.starts.rule);
    served.run((operation, args, origin) => {
      if (this.isDraining) throw new HostMoved();
      const work = () => this.counted(operation, () => this.begin(operation, args, served));
      return origin ? withOrigin(origin as Origin, work) : work();
    });
  }

  private async begin(operation: string, args: unknown, served: ServedRequest): Promise<unknown> {
    await this.claims.confirmed();
    served.signal.throwIfAborted();
    return this.operations.run(operation, args, served);
  }

  private async counted<T>(operation: string, work: () => Promise<T>): Promise<T> {
    if (operation === ENDLESS) return work();
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }
}

function cannotListen(error: NodeJS.ErrnoException): StartError {
  return new StartError(
    `TOOLS_LISTEN: the internal endpoint cannot listen there (${error.code})`,
    'set it to an address of this host and a port that no other program has',
    EXIT_RETRY,
  );
}
