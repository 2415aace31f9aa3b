import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { withoutOrigin } from '../../platform/journal/journal.service.js';
import { MonthRetentionService, type MonthRule } from '../../platform/partitions/month-retention.service.js';
import { USAGE_HOURS, USAGE_REPORTS } from '../../platform/partitions/partitions.js';
import { LeaseUsageRepository } from '../issue-status/lease-conditions-lengths-and-usage.repository.js';
import { type UsageEntry, UsageTotalRepository } from './usage-total.repository.js';
import { UsageTotal } from './usage.entities.js';

export const usageRules = ({
  usageRetentionDays: days,
}: Pick<Settings, 'usageRetentionDays'>): MonthRule[] => [
  { table: USAGE_REPORTS, time: 'at', days, needs: [] },
  { table: USAGE_HOURS, time: 'hour', days, needs: [] },
];

/** Drops old months of reports and of sums per hour after USAGE_RETENTION_DAYS (contract §8.9). The totals stay. */
@Injectable()
export class UsageRetentionWorker {
  constructor(months: MonthRetentionService, settings: Settings) {
    for (const rule of usageRules(settings)) months.keep(rule);
  }
}

const BATCH_MS = 500;
/** The time of leases is measured with every renewal; it reaches the sums within this time. */
const LEASES_MS = 2_000;
/** The entries kept while the database is unavailable. Beyond it the oldest are dropped. */
const MOST_WAITING = 10_000;

/**
 * Brings what the service counts itself into the sums, in batches: turns, which would otherwise wait for each other at
 * the total of their project, and the time of leases.
 */
@Injectable()
export class UsageBatchesWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly ofEntries = failureOf('Usage could not be added to the sums; it is tried again');
  private readonly ofLeases = failureOf(
    'The time of leases could not be added to the sums; it is tried again',
  );
  private waiting: UsageEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private leaseTimer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    @InjectRepository(UsageTotal) private readonly sums: UsageTotalRepository,
    private readonly leases: LeaseUsageRepository,
    private readonly transactions: TransactionsService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.duties.background) return;
    this.leaseTimer = setInterval(() => void this.measureLeases(), LEASES_MS).unref();
  }

  add(entry: UsageEntry): void {
    this.waiting.push(entry);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
    this.timer ??= withoutOrigin(() => setTimeout(() => void this.write(), BATCH_MS).unref());
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.leaseTimer) clearInterval(this.leaseTimer);
    await this.write();
    if (this.settings.duties.background) await this.measureLeases();
  }

  private write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    return (this.writing = this.writing.then(() => this.writeWaiting()));
  }

  private async writeWaiting(): Promise<void> {
    const batch = this.waiting.splice(0);
    try {
      await this.transactions.run(() => this.sums.add(batch));
      this.ofEntries.succeeded();
    } catch (error) {
      this.ofEntries.failed(error);
      for (const entry of batch) this.add(entry);
    }
  }

  private async measureLeases(): Promise<void> {
    try {
      await this.transactions.run(async () => this.sums.add(await this.leases.takeWallTime()));
      this.ofLeases.succeeded();
    } catch (error) {
      this.ofLeases.failed(error);
    }
  }
}

function failureOf(what: string): RepeatedFailure {
  return new RepeatedFailure(new Logger(UsageBatchesWorker.name), what);
}
