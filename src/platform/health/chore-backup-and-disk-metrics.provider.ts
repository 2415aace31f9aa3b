import { access, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Gauge } from 'prom-client';
import { Repository } from 'typeorm';
import { BACKUP, Chore, RESTORE_DRILL } from '../chores/chore.entity.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { Settings } from '../config/settings.js';
import { MetricsService, SampledValue } from './metrics.service.js';

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
