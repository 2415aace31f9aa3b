import { hostname } from 'node:os';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Not, Repository } from 'typeorm';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { linesOf, type LogLine, StderrRing } from '../processes/supervision/stderr-ring.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';
import { type LogBatch, ServerLogLines } from '../server-records/server-records.entities.js';

/** What is kept of a server and service process, as much as each holds in memory. */
const KEPT_BYTES = 64 * 1024;
const KEPT_FOR = '1 day';

/** The log lines that service processes publish to each other. The table is not written to the WAL. */
@Injectable()
export class ServerLogLinesRepository extends Repository<ServerLogLines> {
  constructor(@InjectDataSource() source: DataSource) {
    super(ServerLogLines, source.manager);
  }

  /** SQL: many rows at once, and a window over the bytes. Adds lines of this process, and forgets what is beyond the limit. Lines of a server that is gone are dropped. */
  async add(process: string, batches: LogBatch[]): Promise<void> {
    await this.query(
      `INSERT INTO server_log_lines (server_id, process, lines)
       SELECT s.id, $1, batch.lines FROM json_to_recordset($2::json) AS batch ("serverId" uuid, lines json)
       JOIN installed_servers s ON s.id = batch."serverId" ORDER BY s.id FOR KEY SHARE OF s`,
      [process, JSON.stringify(batches)],
    );
    await this.query(
      `DELETE FROM server_log_lines WHERE id IN (
         SELECT id FROM (
           SELECT id, sum(octet_length(lines::text)) OVER (PARTITION BY server_id ORDER BY id DESC) AS bytes
           FROM server_log_lines WHERE process = $1 AND server_id = ANY($2::uuid[])) AS held
         WHERE held.bytes > ${KEPT_BYTES * 2})`,
      [process, batches.map(({ serverId }) => serverId)],
    );
  }

  /** Returns the lines of the other processes, oldest first for each. */
  ofOthers(serverId: string, process: string): Promise<ServerLogLines[]> {
    return this.find({
      select: { id: true, process: true, lines: true },
      where: { serverId, process: Not(process) },
      order: { id: 'ASC' },
    });
  }

  /** Forgets what a process that may have ended published. */
  async prune(): Promise<number> {
    const old = this.createQueryBuilder().delete().where(`at < now() - interval '${KEPT_FOR}'`);
    return (await old.execute()).affected ?? 0;
  }
}

/** In place of the name of a credential set that was deleted. */
const DELETED_SET = 'deleted';

/** A log line with the service process that read it, and the name of the credential set with which the server ran. */
export interface ProcessLogLine extends LogLine {
  process: string;
  credentialSet: string;
}

/**
 * Holds the last stderr output of servers, from the processes that agents use and from the last verification, in
 * memory, and merges what the other service processes publish.
 */
@Injectable()
export class ServerLogsService {
  /** The name of this service process. */
  readonly process = `${hostname()}:${process.pid}`;
  private readonly verifications = new Map<string, { ring: StderrRing; secrets: readonly string[] }>();

  constructor(
    private readonly supervisor: ServerSupervisor,
    private readonly published: ServerLogLinesRepository,
    private readonly sets: CredentialSetRepository,
  ) {}

  /** Returns a new ring for a verification that begins; it replaces the ring of the previous one. */
  ringOfVerification(serverId: string, secrets: readonly string[]): StderrRing {
    const ring = new StderrRing();
    this.verifications.set(serverId, { ring, secrets });
    return ring;
  }

  /** Returns the lines of all processes, oldest first and masked. Those of other processes are at most 2 s old. */
  async linesOf(serverId: string): Promise<ProcessLogLine[]> {
    const others = await this.published.ofOthers(serverId, this.process);
    const verification = this.verifications.get(serverId);
    const verified = verification ? linesOf(serverId, verification.ring.lines(verification.secrets)) : [];
    const names = new Map((await this.sets.list(serverId)).map(({ id, name }) => [id, name]));
    const own = { process: this.process, lines: [...verified, ...this.supervisor.logs(serverId)] };
    return [...others, own]
      .flatMap(({ process: name, lines }) =>
        lines.map(({ credentialSetId, ...line }) => ({
          ...line,
          process: name,
          // A set that was deleted has no name any more; a line of an earlier release has no set.
          credentialSet: names.get(credentialSetId ?? serverId) ?? DELETED_SET,
        })),
      )
      .toSorted((a, b) => a.at.localeCompare(b.at));
  }

  /** Returns the lines that this process has read since the last call, of each server that wrote some. */
  take(): LogBatch[] {
    const verified = [...this.verifications].map(([serverId, { ring, secrets }]) => ({
      serverId,
      lines: linesOf(serverId, ring.take(secrets)),
    }));
    return [...verified, ...this.supervisor.takeLogs()].filter(({ lines }) => lines.length > 0);
  }

  forget(serverId: string): void {
    this.verifications.delete(serverId);
  }
}

/** The lines of another process are at most 2 s old (contract §3.3): this pause and the time of two statements. */
const PUBLISH_MS = 1_000;
const PRUNE_SECONDS = 3_600;

/** Publishes the new log lines of this process's servers to the other processes. A silent server costs nothing. */
@Injectable()
export class ServerLogsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ServerLogsWorker.name);
  private timer: NodeJS.Timeout | null = null;
  private publishing: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly logs: ServerLogsService,
    private readonly lines: ServerLogLinesRepository,
    chores: ChoresWorker,
  ) {
    chores.add({
      name: 'log lines of ended processes',
      everySeconds: PRUNE_SECONDS,
      run: () => this.lines.prune(),
    });
  }

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.publishing;
  }

  private schedule(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.publishing = this.publish().finally(() => this.schedule());
    }, PUBLISH_MS).unref();
  }

  /** What cannot be published is dropped: this process still shows it, and it must not pile up in an outage. */
  private async publish(): Promise<void> {
    const batches = this.logs.take();
    if (batches.length === 0) return;
    try {
      await this.lines.add(this.logs.process, batches);
    } catch (error) {
      this.log.debug(`Log lines of servers could not be published to other processes: ${String(error)}`);
    }
  }
}
