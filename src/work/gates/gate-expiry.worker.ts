import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { GateClosingService } from './gate-closing.service.js';

/** Expiry takes effect within 5 seconds (contract §5.6). */
const EVERY_MS = 1_500;

/** The most gates that one transaction expires. */
const AT_ONCE = 500;

/**
 * Expires gates. Every process whose role does background work looks, by one read of an index that holds open gates only.
 * Which process expires a gate is decided by its row.
 */
@Injectable()
export class GateExpiryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly failure = new RepeatedFailure(
    new Logger(GateExpiryWorker.name),
    'Gates that are due could not be expired and are tried again',
  );
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(
    private readonly closing: GateClosingService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.duties.background) return;
    this.timer = setInterval(() => this.start(), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private start(): void {
    this.round ??= this.expire().finally(() => (this.round = null));
  }

  private async expire(): Promise<void> {
    try {
      while (!this.stopping && (await this.closing.expireDue(AT_ONCE)) === AT_ONCE);
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }
}
