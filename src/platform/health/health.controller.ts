import { Controller, Get, Header, HttpCode, Injectable, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../authentication/route-policies-and-agent-itself.js';
import { DatabaseService } from '../database/database.service.js';
import { Encryption } from '../encryption/encryption.service.js';
import { AggregatorRegistry, Counter, Gauge, type MetricObject, Registry } from 'prom-client';
import { Settings } from '../config/settings.js';
import type { ParentChannel, ProcessState } from '../config/parent-channel.js';
import { MetricsService } from './metrics.service.js';
import { stateOf, WriteChecksService } from './database-state-and-space-checks.service.js';

class LiveResponse {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

/** Whether the service can work, with the result of each check. */
class ReadyResponse {
  @ApiProperty({ enum: ['ok', 'unavailable'] })
  status!: 'ok' | 'unavailable';
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { database: 'ok', keyRing: 'ok', sandbox: 'bubblewrap' },
  })
  checks!: Record<string, string>;
}

/** A check of a layer above: its name and its result; `ok: false` makes the service not ready. */
type Check = () => { name: string; says: string; ok: boolean };

/** Reports whether the service can work. */
@Injectable()
export class ReadinessService {
  private readonly further: Check[] = [];
  private stopping = false;

  constructor(
    private readonly database: DatabaseService,
    private readonly encryption: Encryption,
    private readonly writes: WriteChecksService,
  ) {}

  /** Adds a check of a layer above. */
  add(check: Check): void {
    this.further.push(check);
  }

  /** Makes the service report from now on that it is shutting down. */
  stop(): void {
    this.stopping = true;
  }

  async report(): Promise<ReadyResponse> {
    const checks = [
      await this.databaseCheck(),
      { name: 'keyRing', says: this.encryption.unlocked ? 'ok' : 'locked', ok: this.encryption.unlocked },
      ...(await this.folderCheck()),
      ...(this.stopping ? [{ name: 'shutdown', says: 'in progress', ok: false }] : []),
      ...this.further.map((check) => check()),
    ];
    return {
      status: checks.every(({ ok }) => ok) ? 'ok' : 'unavailable',
      checks: Object.fromEntries(checks.map(({ name, says }) => [name, says])),
    };
  }

  private async databaseCheck(): Promise<ReturnType<Check>> {
    try {
      const pending = await this.database.dataSource.showMigrations();
      const reason = pending ? 'migrations are missing' : await this.writes.databaseReason();
      return { name: 'database', says: reason ?? 'ok', ok: reason === null };
    } catch (error) {
      // The whole error is in the log of the request that met it; here only the state counts.
      return { name: 'database', says: stateOf(error), ok: false };
    }
  }

  private async folderCheck(): Promise<ReturnType<Check>[]> {
    return (await this.writes.isFolderFull()) ? [{ name: 'dataFolder', says: 'full', ok: false }] : [];
  }
}

@ApiTags('Operation')
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: ReadinessService,
    { parent }: Settings,
  ) {
    parent?.answerTo('readiness', () => readiness.report());
  }

  /** Reports that the process responds. */
  @Get('livez')
  @Public()
  @HttpCode(200)
  live(): LiveResponse {
    return { status: 'ok' };
  }

  /** Reports whether the service can work: database, migrations, key ring, sandbox. */
  @Get('readyz')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiServiceUnavailableResponse({
    type: ReadyResponse,
    description: 'Something that the service needs is missing.',
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyResponse> {
    const report = await this.readiness.report();
    if (report.status !== 'ok') response.status(503).header('Retry-After', '2');
    return report;
  }
}

@ApiTags('Operation')
@Controller()
export class MetricsController {
  private readonly parent: ParentChannel | null;

  constructor(
    private readonly metrics: MetricsService,
    { parent }: Settings,
  ) {
    this.parent = parent;
    if (!parent) return;
    metrics.registry.setDefaultLabels({ process: parent.part.name });
    parent.answerTo('metrics', () => metrics.registry.getMetricsAsJSON());
  }

  /** Returns the metrics for Prometheus, of each process of this start under the label `process` where there are several. They contain no secrets; a proxy may hide them. */
  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({
    description: 'The text format of Prometheus.',
    content: {
      'text/plain': {
        schema: { type: 'string' },
        example: '# TYPE awp_issues gauge\nawp_issues{status="Open"} 12\n',
      },
    },
  })
  async read(): Promise<string> {
    const { parent } = this;
    if (!parent) return this.metrics.registry.metrics();
    return textOfAll((await parent.askAll('metrics')) as MetricObject[][], parent.processes);
  }
}

/**
 * Returns the metrics of several processes as one text of Prometheus (contract §8.1). Each series has the label `process`, so none is
 * added to another: a process that ends takes its counters with it, as one that is started again does.
 * @param answers the metrics of each process, with that label
 */
async function textOfAll(
  answers: readonly MetricObject[][],
  processes: readonly ProcessState[],
): Promise<string> {
  // By default a registry of several processes leaves out what cannot be added, such as the start of each.
  const whole = answers.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'first' })));
  const texts = [AggregatorRegistry.aggregate(whole), registryOf(processes)].map((one) => one.metrics());
  return (await Promise.all(texts)).join('');
}

function registryOf(processes: readonly ProcessState[]): Registry {
  const registry = new Registry();
  const registers = [registry];
  const ready = new Gauge({
    name: 'awp_process_ready',
    help: 'Whether a process of the start is ready: 0 while it starts, or finishes what it has.',
    labelNames: ['process', 'kind'],
    registers,
  });
  const restarts = new Counter({
    name: 'awp_process_restarts_total',
    help: 'How often a process of the start was started again because it had ended.',
    labelNames: ['process'],
    registers,
  });
  for (const { name, kind, state, restarts: count } of processes) {
    ready.set({ process: name, kind }, state === 'ready' ? 1 : 0);
    restarts.inc({ process: name }, count);
  }
  return registry;
}
