import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { hostAndPort } from '../../platform/start/listen-address.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { ProcessClaimsService } from '../tools-hosts/process-claims.service.js';
import { ToolsHost } from '../tools-hosts/tools-host.entity.js';
import { ToolsEndpointWorker } from './tools-endpoint.worker.js';

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
