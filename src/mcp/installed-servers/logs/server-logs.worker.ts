import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ChoresWorker } from '../../../platform/chores/chores.worker.js';
import { ServerLogLinesRepository } from './server-log-lines.repository.js';
import { ServerLogsService } from './server-logs.service.js';

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
