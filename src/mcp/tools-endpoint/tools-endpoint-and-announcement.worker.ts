import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { EXIT_RETRY, StartError } from '../../platform/exit/exit-codes.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { type Origin, withOrigin } from '../../platform/journal/journal.service.js';
import { hostAndPort } from '../../platform/start/listen-address.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { CallStartsService } from '../tools-hosts/call-starts.service.js';
import { InternalKeysService, TLS_OPTIONS } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import { ProcessClaimsService } from '../tools-hosts/process-claims-and-absence.service.js';
import { HostMoved, ServedRequest } from '../tools-hosts/host-request.js';
import { ToolsHost } from '../tools-hosts/tools-host.entity.js';
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

const EVERY_MS = 1_000;
/** Other processes read the announcements twice per second. Until all have, calls still come and are taken. */
const LINGER_MS = 1_500;
/** A host that died withdraws nothing. */
const FORGOTTEN_AFTER = '1 hour';

/** Announces this tools host in the database for as long as it takes calls (contract §9.3). */
@Injectable()
export class AnnouncementWorker implements OnApplicationShutdown {
  private readonly failure = new RepeatedFailure(
    new Logger(AnnouncementWorker.name),
    'This tools host could not be announced; it is tried again',
  );
  private address = '';
  private isDraining = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly endpoint: ToolsEndpointWorker,
    @InjectRepository(ToolsHost) private readonly hosts: Repository<ToolsHost>,
    private readonly supervisor: ServerSupervisor,
    private readonly claims: ProcessClaimsService,
    private readonly settings: Settings,
  ) {}

  /** Listens and announces the address. Call it when this process can work. */
  async begin(): Promise<string> {
    const { toolsListen, toolsAdvertise } = this.settings;
    const port = await this.endpoint.listen();
    this.address = toolsAdvertise ?? hostAndPort({ host: toolsListen!.host, port });
    await this.announce();
    this.timer = setInterval(() => void this.renew(), EVERY_MS).unref();
    return this.address;
  }

  /**
   * Hands over to the other hosts: calls that run go on, and each process ends when it is idle, so that another host can
   * start its server.
   */
  async drain(withinMs: number): Promise<void> {
    if (!this.address) return;
    const until = performance.now() + withinMs;
    this.isDraining = true;
    await this.renew();
    await sleep(LINGER_MS);
    this.endpoint.refuseNew();
    await this.supervisor.retire(until - performance.now());
    await this.endpoint.quiet(until - performance.now());
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    if (!this.address) return;
    await this.hosts
      .createQueryBuilder()
      .delete()
      .where(`id = :id OR seen_at < now() - interval '${FORGOTTEN_AFTER}'`, { id: this.claims.hostId })
      .execute()
      // An announcement that stays ends after five seconds.
      .catch(() => undefined);
  }

  private async announce(): Promise<void> {
    const { address, isDraining } = this;
    const sentAt = performance.now();
    const host = { id: this.claims.hostId, address, isDraining, seenAt: () => 'now()' };
    await this.hosts.upsert(host, ['id']);
    this.claims.announced(sentAt);
  }

  private async renew(): Promise<void> {
    try {
      await this.announce();
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }
}
