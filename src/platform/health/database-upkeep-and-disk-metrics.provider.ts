import { access, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Gauge } from 'prom-client';
import { Repository } from 'typeorm';
import { clockAheadMs } from '../database/data-source-pool-and-limits.js';
import { DatabaseService } from '../database/database.service.js';
import { Settings } from '../config/settings.js';
import { BACKUP, Chore, RESTORE_DRILL } from '../chores/chore.entity.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { ReadinessService } from './health.controller.js';
import { MetricsService, SampledValue } from './metrics.service.js';

/** Seconds; the pool refuses a caller after 4 s. */
const WAITS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5];

const READINESS_MS = 2_000;
const CLOCK_MS = 10_000;
/** The size of a database is the sum of its files. */
const FACTS_MS = 60_000;

/** What `/readyz` says of a database (contract §8.1). */
const STATES = [
  'ok',
  'standby',
  'read-only',
  'unconfirmed',
  'full',
  'credentials rejected',
  'migrations are missing',
  'unreachable',
] as const;

/** What a database says of itself. Fractions are between 0 and 1. */
interface Facts {
  sizeBytes: number;
  transactionAge: number;
  sequenceUsed: number;
  partitions: { table: string; seconds: number }[];
}

/**
 * Catalogs only: no row of a table of the service is read. The month of a partition is in its name (see `partitions.ts`).
 * A sequence that has given out no number has no last value.
 */
const FACTS = `
  SELECT pg_database_size(d.oid)::float8 AS "sizeBytes", age(d.datfrozenxid) AS "transactionAge",
    (SELECT coalesce(max((last_value::float8 - min_value) / (max_value::float8 - min_value)), 0) FROM pg_sequences
     WHERE increment_by > 0 AND NOT cycle) AS "sequenceUsed",
    (SELECT coalesce(json_agg(ahead), '[]') FROM (
       SELECT p.relname AS table,
         extract(epoch FROM (max(to_date(right(c.relname, 7), 'YYYY_MM')) + interval '1 month') AT TIME ZONE 'UTC'
           - now())::float8 AS seconds
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
       WHERE p.relkind = 'p' AND p.relnamespace = current_schema()::regnamespace AND c.relname ~ '_\\d{4}_\\d{2}$'
       GROUP BY p.relname) AS ahead) AS partitions
  FROM pg_database d WHERE d.datname = current_database()`;

/**
 * Measures the pool of this process, and the database: each process reports the same of that. A database that does not
 * answer is 0 in `awp_database_reachable`, and what only it can say is absent.
 */
@Injectable()
export class DatabaseMetricsProvider implements OnModuleInit {
  private readonly readiness = new SampledValue(() => this.ready.report(), READINESS_MS, READINESS_MS);
  private readonly clockAhead = new SampledValue(() => clockAheadMs(this.database.dataSource), CLOCK_MS);
  private readonly facts = new SampledValue(() => this.readFacts(), FACTS_MS);

  constructor(
    private readonly database: DatabaseService,
    private readonly ready: ReadinessService,
    private readonly metrics: MetricsService,
    private readonly settings: Settings,
  ) {
    // Metrics are collected in the order in which they were added: the pool comes before those that use it for the scrape.
    this.measurePool();
  }

  onModuleInit(): void {
    this.measureState();
    this.measureFacts();
  }

  private measurePool(): void {
    this.metrics.gauge('awp_database_pool_connections', 'Connections of the pool.', ['state'], (gauge) => {
      const { totalCount, idleCount, waitingCount } = this.database.pool;
      gauge.set({ state: 'open' }, totalCount);
      gauge.set({ state: 'idle' }, idleCount);
      gauge.set({ state: 'in_use' }, totalCount - idleCount);
      gauge.set({ state: 'awaited' }, waitingCount);
    });
    this.metrics.gauge('awp_database_pool_size', 'Connections that the pool may have.', [], (gauge) =>
      gauge.set(this.settings.databasePoolSize),
    );
    const help = 'Seconds until a caller had a connection of the pool, or was refused one.';
    const waits = this.metrics.histogram('awp_database_pool_wait_seconds', help, [], WAITS);
    this.database.observeWaits((seconds) => waits.observe(seconds));
  }

  private measureState(): void {
    const { metrics } = this;
    metrics.gauge('awp_ready', 'Whether /readyz answers 200.', [], async (gauge) => {
      gauge.set((await this.readiness.get())?.status === 'ok' ? 1 : 0);
    });
    metrics.gauge('awp_database_reachable', 'Whether the database answers.', [], async (gauge) => {
      gauge.set((await this.state()) === 'unreachable' ? 0 : 1);
    });
    metrics.gauge('awp_database_writable', 'Whether the database accepts writes.', [], async (gauge) => {
      gauge.set((await this.state()) === 'ok' ? 1 : 0);
    });
    const clock = 'Seconds by which the clock of this host is ahead of that of the database.';
    metrics.gauge('awp_clock_offset_seconds', clock, [], async (gauge) => {
      const ahead = await this.clockAhead.get();
      if (ahead !== null) gauge.set(ahead / 1000);
    });
    const help = 'What /readyz says of the database: 1 for its present state, else 0.';
    metrics.gauge('awp_database_state', help, ['state'], async (gauge) => {
      const present = await this.state();
      for (const state of STATES) gauge.set({ state }, state === present ? 1 : 0);
    });
  }

  private async state(): Promise<string> {
    return (await this.readiness.get())?.checks['database'] ?? 'unreachable';
  }

  private measureFacts(): void {
    this.fact('awp_database_size_bytes', 'Size of the database.', ({ sizeBytes }) => sizeBytes);
    this.fact(
      'awp_database_transaction_age',
      'Transactions since the oldest one that is not frozen. PostgreSQL stops at 2 billion.',
      ({ transactionAge }) => transactionAge,
    );
    this.fact(
      'awp_database_sequence_used_ratio',
      'How much of its numbers the most used sequence has given out.',
      ({ sequenceUsed }) => sequenceUsed,
    );
    const help = 'Seconds until the end of the last month that has a partition.';
    this.metrics.gauge('awp_partitions_ahead_seconds', help, ['table'], async (gauge) => {
      for (const { table, seconds } of (await this.facts.get())?.partitions ?? [])
        gauge.set({ table }, seconds);
    });
  }

  private fact(name: string, help: string, valueOf: (facts: Facts) => number): void {
    this.metrics.gauge(name, help, [], async (gauge) => {
      const facts = await this.facts.get();
      if (facts) gauge.set(valueOf(facts));
    });
  }

  /** SQL: catalogs of PostgreSQL, which no entity describes. */
  private async readFacts(): Promise<Facts> {
    const [facts] = await this.database.dataSource.query<Facts[]>(FACTS);
    return facts!;
  }
}

const RUNS_MS = 10_000;
const DISKS_MS = 10_000;

/** Space on the disk of a folder, in bytes. `free` is what the user of the service may use. */
interface Disk {
  folder: string;
  free: number;
  size: number;
}

const secondsOf = (date: Date): number => date.getTime() / 1000;
const successOf = ({ succeededAt }: Chore): number | null => succeededAt && secondsOf(succeededAt);

/** Measures what has to happen again and again, and the disks of this host, which fill up by themselves. */
@Injectable()
export class ChoreBackupAndDiskMetricsProvider implements OnModuleInit {
  private readonly runs = new SampledValue(() => this.chores.find(), RUNS_MS);
  private readonly disks = new SampledValue(() => this.readDisks(), DISKS_MS);

  constructor(
    @InjectRepository(Chore) private readonly chores: Repository<Chore>,
    private readonly worker: ChoresWorker,
    private readonly metrics: MetricsService,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.measureChores();
    this.measureBackups();
    this.measureDisks();
  }

  private measureChores(): void {
    const { metrics } = this;
    metrics.gauge('awp_chore_interval_seconds', 'How often a chore runs.', ['chore'], (gauge) => {
      for (const { name, everySeconds } of this.worker.all) gauge.set({ chore: name }, everySeconds);
    });
    const success = 'When a chore last succeeded; 0 before the first time.';
    metrics.gauge('awp_chore_last_success_timestamp_seconds', success, ['chore'], (gauge) =>
      this.ofChores(gauge, (run) => (run?.succeededAt ? secondsOf(run.succeededAt) : 0)),
    );
    const failed = 'How often a chore has failed since it last succeeded.';
    metrics.gauge('awp_chore_failed_attempts', failed, ['chore'], (gauge) =>
      this.ofChores(gauge, (run) => run?.failures ?? 0),
    );
  }

  /** Only of chores that this release has: the table keeps the rows of former ones. */
  private async ofChores(gauge: Gauge<'chore'>, valueOf: (run: Chore | undefined) => number): Promise<void> {
    const runs = await this.runs.get();
    if (!runs) return;
    const byName = new Map(runs.map((run) => [run.name, run]));
    for (const { name } of this.worker.all) gauge.set({ chore: name }, valueOf(byName.get(name)));
  }

  /** Without a backup there is no series: another program may make the backups. */
  private measureBackups(): void {
    const { metrics } = this;
    const success = 'When npm run backup last succeeded.';
    metrics.gauge('awp_backup_last_success_timestamp_seconds', success, [], (gauge) =>
      this.ofCommand(BACKUP, gauge, successOf),
    );
    const attempt = 'When npm run backup last ended, whatever its result.';
    metrics.gauge('awp_backup_last_attempt_timestamp_seconds', attempt, [], (gauge) =>
      this.ofCommand(BACKUP, gauge, ({ ranAt }) => secondsOf(ranAt)),
    );
    const failed = 'How often npm run backup has failed since it last succeeded.';
    metrics.gauge('awp_backup_failed_attempts', failed, [], (gauge) =>
      this.ofCommand(BACKUP, gauge, ({ failures }) => failures),
    );
    const restored = 'When npm run restore:drill last succeeded.';
    metrics.gauge('awp_restore_drill_last_success_timestamp_seconds', restored, [], (gauge) =>
      this.ofCommand(RESTORE_DRILL, gauge, successOf),
    );
    const lost = 'How often npm run restore:drill has failed since it last succeeded.';
    metrics.gauge('awp_restore_drill_failed_attempts', lost, [], (gauge) =>
      this.ofCommand(RESTORE_DRILL, gauge, ({ failures }) => failures),
    );
  }

  private async ofCommand(name: string, gauge: Gauge, valueOf: (run: Chore) => number | null): Promise<void> {
    const run = (await this.runs.get())?.find((one) => one.name === name);
    const value = run ? valueOf(run) : null;
    if (value !== null) gauge.set(value);
  }

  private measureDisks(): void {
    const free = 'Free space on the disk of a folder of the service.';
    this.metrics.gauge('awp_disk_free_bytes', free, ['folder'], async (gauge) => {
      for (const disk of (await this.disks.get()) ?? []) gauge.set({ folder: disk.folder }, disk.free);
    });
    const size = 'Size of the disk of a folder of the service.';
    this.metrics.gauge('awp_disk_size_bytes', size, ['folder'], async (gauge) => {
      for (const disk of (await this.disks.get()) ?? []) gauge.set({ folder: disk.folder }, disk.size);
    });
  }

  /** Each of them may be a disk of its own. A PostgreSQL of the operator cannot say how much space its disk has. */
  private async readDisks(): Promise<Disk[]> {
    const { dataDir, databaseUrl, s3 } = this.settings;
    const places = [
      { folder: 'data', path: dataDir },
      ...(databaseUrl === null ? [{ folder: 'database', path: join(dataDir, 'postgres') }] : []),
      ...(s3 === null ? [{ folder: 'attachments', path: join(dataDir, 'attachments') }] : []),
    ];
    const disks = await Promise.all(places.map(diskOf));
    return disks.filter((disk) => disk !== null);
  }
}

/** Returns null for a folder that does not exist yet, and for a file system that reports no sizes, as some network ones do. */
async function diskOf({ folder, path }: { folder: string; path: string }): Promise<Disk | null> {
  try {
    await access(path);
  } catch {
    // The folder of attachments is made for the first of them.
    return null;
  }
  const { bavail, blocks, bsize } = await statfs(path);
  return blocks === 0 ? null : { folder, free: bavail * bsize, size: blocks * bsize };
}
