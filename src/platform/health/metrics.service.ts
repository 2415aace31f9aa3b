import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/settings.js';
import { RepeatedFailure } from '../failures/repeated-failure.js';
import { type Problem, type ProblemCode, problemCodes } from '../http/problem.js';
import { EventCountersService } from '../journal/journal.service.js';

/** Seconds; the contract's time limits are among them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Gauges of prom-client whose names are those of counters, which Prometheus's linter rejects. Their sums are those of the gauges by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `awp_nodejs_active_${what}_total`);

/** How long a scrape waits for a value. Prometheus gives up after 10 s by default, and one late value would cost all others. */
const LIMIT_MS = 1_500;

const failure = new RepeatedFailure(
  new Logger('Metrics'),
  'Values for /metrics could not be computed and are left out',
);
/** One line of the log for all of them: what they have in common is the database. */
const failing = new Set<object>();

/**
 * A value that is expensive to compute, and so computed at most once per `everyMs`, when a scrape asks for it. A value that
 * cannot be computed is null, and its metric absent: one that stayed would show an outage as a calm.
 */
export class SampledValue<T> {
  private value: T | null = null;
  private at = -Infinity;
  private renewal: Promise<void> | null = null;

  /** @param keepMs how old a value may become while the computation of the next takes longer than a scrape waits */
  constructor(
    private readonly compute: () => Promise<T>,
    private readonly everyMs: number,
    private readonly keepMs: number = 3 * everyMs,
  ) {}

  /** Never rejects, and resolves within the limit. */
  async get(): Promise<T | null> {
    if (performance.now() - this.at >= this.everyMs) {
      this.renewal ??= this.renew().finally(() => (this.renewal = null));
      await withinLimit(this.renewal);
    }
    return performance.now() - this.at <= this.keepMs ? this.value : null;
  }

  private async renew(): Promise<void> {
    try {
      this.value = await this.compute();
      this.at = performance.now();
      failing.delete(this);
      if (failing.size === 0) failure.succeeded();
    } catch (error) {
      // The value is too old from now on, and the next scrape tries again.
      this.at = -Infinity;
      failing.add(this);
      failure.failed(error);
    }
  }
}

async function withinLimit(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, LIMIT_MS)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

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

  private readonly throttled = this.counter(
    'awp_throttled_requests_total',
    'Requests that were refused with 429, by the code of the refusal.',
    ['code'],
    Object.keys(problemCodes).filter((code) => problemCodes[code as ProblemCode].status === 429),
  );

  constructor(counters: EventCountersService) {
    // Event-loop lag, memory, processor time, open handles.
    collectDefaultMetrics({ register: this.registry, prefix: 'awp_' });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.gauge('awp_build_info', 'The build that runs; always 1.', ['version', 'node'], (gauge) =>
      gauge.set({ version: VERSION, node: process.versions.node }, 1),
    );
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

  /** Counts a refusal that asks the caller to slow down. */
  refused({ status, code }: Problem): void {
    if (status === 429) this.throttled.inc({ code });
  }

  /** Adds a gauge whose value is collected at each scrape. It is absent where `collect` sets nothing. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    return new Gauge({
      ...{ name, help, labelNames, registers: [this.registry] },
      async collect() {
        // Without labels a reset would set 0, which is a value like any other.
        if (labelNames.length > 0) this.reset();
        else this.remove();
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

  /**
   * Adds a counter. @param values of its one label that are known beforehand: they begin with 0, because Prometheus sees no
   * increase in the first value of a series
   */
  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    values: readonly string[] = [],
  ): Counter<Label> {
    const counter = new Counter({ name, help, labelNames, registers: [this.registry] });
    for (const value of values) counter.labels(value).inc(0);
    return counter;
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
