import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { EventCountersService } from '../journal/journal.service.js';

/** Seconds; the contract's time limits are among them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The metrics of this process that /metrics returns (contract §8); layers above add their own. No value and no label
 * may contain a secret, a user-defined name, or the id of an issue, since the route is public.
 */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'awp_http_request_duration_seconds',
    help: 'Requests by the template of their route; an event stream ends when its reader disconnects.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(database: DatabaseService, counters: EventCountersService) {
    // Event-loop lag, memory, processor time, open handles.
    collectDefaultMetrics({ register: this.registry, prefix: 'awp_' });
    this.gauge('awp_build_info', 'The build that runs; always 1.', ['version', 'node'], (gauge) =>
      gauge.set({ version: VERSION, node: process.versions.node }, 1),
    );
    this.gauge('awp_database_pool_connections', 'Connections of the pool.', ['state'], (gauge) => {
      const { totalCount, idleCount, waitingCount } = database.pool;
      gauge.set({ state: 'open' }, totalCount);
      gauge.set({ state: 'idle' }, idleCount);
      gauge.set({ state: 'awaited' }, waitingCount);
    });
    this.counted(
      'awp_journal_rows_total',
      'Journal rows that this process wrote, by type.',
      ['type'],
      (counter) => {
        for (const [type, count] of counters.counts) counter.inc({ type }, count);
      },
    );
    this.counted('awp_leases_lost_total', 'Leases that ran out and were taken over.', [], (counter) =>
      counter.inc(counters.counts.get('issue.lease_lost') ?? 0),
    );
  }

  /** @param route the template of the route; null when no route matched */
  request(method: string, route: string | null, status: number, seconds: number): void {
    this.requests.observe({ method, route: route ?? 'none', status: String(status) }, seconds);
  }

  /** Adds a gauge whose value is collected at each scrape. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    return new Gauge({
      ...{ name, help, labelNames, registers: [this.registry] },
      async collect() {
        this.reset();
        await collect(this);
      },
    });
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Adds a counter whose value is kept elsewhere and collected at each scrape. */
  private counted<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: (counter: Counter<Label>) => void,
  ): Counter<Label> {
    return new Counter({
      ...{ name, help, labelNames, registers: [this.registry] },
      collect() {
        this.reset();
        collect(this);
      },
    });
  }
}

/** Measures each request under the template of its route, so that ids do not create series. */
export function measureRequests(metrics: MetricsService) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const start = performance.now();
    response.once('close', () => {
      const { route } = request as { route?: { path?: string } };
      const seconds = (performance.now() - start) / 1000;
      metrics.request(request.method ?? '', route?.path ?? null, response.statusCode, seconds);
    });
    next();
  };
}
