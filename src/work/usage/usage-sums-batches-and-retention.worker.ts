import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { PERIOD_START } from '../../agents/usage-figures.response.js';
import { Settings } from '../../platform/config/settings.js';
import { prepared } from '../../platform/database/service.client.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { withoutOrigin } from '../../platform/journal/journal.service.js';
import { MonthRetentionService, type MonthRule } from '../../platform/partitions/month-retention.service.js';
import { USAGE_HOURS, USAGE_REPORTS } from '../../platform/partitions/partitions.js';
import { LeaseUsageRepository } from '../issue-status/lease-conditions-lengths-and-usage.repository.js';
import { UsageTotal } from './usage.entities.js';

/** What a reported increment counts. */
export interface ReportedFigures {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicros: number;
}

/** An increment of usage. Absent figures are 0; without `projectId` it is that of the issue. */
export interface UsageEntry extends Partial<ReportedFigures> {
  agentId: string;
  projectId?: string | null;
  issueId: string | null;
  model?: string | null;
  turns?: number;
  reportedTurns?: number;
  toolCalls?: number;
  wallMs?: number;
}

/** The counters of all sums: field of an entry and column of the tables. */
export const counters = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadTokens', 'cache_read_tokens'],
  ['cacheWriteTokens', 'cache_write_tokens'],
  ['costMicros', 'cost_micros'],
  ['turns', 'turns'],
  ['reportedTurns', 'reported_turns'],
  ['toolCalls', 'tool_calls'],
  ['wallMs', 'wall_ms'],
] as const satisfies readonly [keyof UsageEntry, string][];

const COLUMNS = counters.map(([, column]) => column).join(', ');
const SUMS = counters.map(([, column]) => `sum(${column}) AS ${column}`).join(', ');
const GIVEN = counters.map(([field, column]) => `coalesce(sum("${field}"), 0) AS ${column}`).join(', ');

/**
 * A sum stops growing here, below what JavaScript counts exactly. Agents report what they like, and a sum that overflows
 * would fail every further statement on its row: reports and records of calls of all who work in the project.
 */
const LARGEST_SUM = 8_000_000_000_000_000n;
const ADDED = counters
  .map(([, column]) => `${column} = least(u.${column}, ${LARGEST_SUM}) + excluded.${column}`)
  .join(', ');

/**
 * Adds increments to the sums per hour and to the totals of agent, project and issue. Rows are written in the order of
 * their keys, so that two of these statements never deadlock.
 */
const ADD = prepared(
  'usage.add',
  `
  WITH given AS MATERIALIZED (
    SELECT "agentId" AS agent_id, coalesce("projectId", i.project_id) AS project_id, "issueId" AS issue_id, model, ${GIVEN}
    FROM json_to_recordset($1::json) AS entry ("agentId" uuid, "projectId" uuid, "issueId" uuid, model text,
      ${counters.map(([field]) => `"${field}" bigint`).join(', ')})
    LEFT JOIN issues i ON i.id = "issueId" GROUP BY 1, 2, 3, 4),
  hours AS (
    INSERT INTO usage_hours AS u (hour, agent_id, project_id, issue_id, model, ${COLUMNS})
    SELECT date_trunc('hour', now(), 'UTC'), agent_id, project_id, issue_id, model, ${COLUMNS}
    FROM given ORDER BY agent_id, project_id, issue_id, model
    ON CONFLICT (hour, agent_id, project_id, issue_id, model) DO UPDATE SET ${ADDED})
  INSERT INTO usage_totals AS u (scope, scope_id, period, starts_on, ${COLUMNS})
  SELECT scope.name, scope.id, period.name, period.starts_on, ${SUMS}
  FROM given
  CROSS JOIN LATERAL (VALUES ('agent', agent_id), ('project', project_id), ('issue', issue_id)) AS scope(name, id)
  CROSS JOIN (VALUES ('day', ${PERIOD_START.day}), ('month', ${PERIOD_START.month}), ('total', ${PERIOD_START.total}))
    AS period(name, starts_on)
  WHERE scope.id IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (scope, scope_id, period, starts_on) DO UPDATE SET ${ADDED}`,
);

/** Writes the sums of usage. */
@Injectable()
export class UsageTotalRepository extends Repository<UsageTotal> {
  constructor(@InjectDataSource() source: DataSource) {
    super(UsageTotal, source.manager);
  }

  /** SQL: two tables in one statement, by every turn and batch of calls. Adds all increments. */
  async add(entries: readonly UsageEntry[]): Promise<void> {
    if (entries.length > 0) await this.query(ADD, [JSON.stringify(entries)]);
  }
}

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
