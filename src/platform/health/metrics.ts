import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Database } from '../database/database.js';
import { JournalTally } from '../journal/journal-tally.js';

/** Seconds; the contract's own bounds are among them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What /metrics tells (spec §8), of this process: floors above add what only they can count. No value and no
 * label may hold a secret, a name that somebody gave, or the id of an issue: everybody can read it.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'awp_http_request_duration_seconds',
    help: 'Requests by the template of their route; event streams end when their reader goes.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(database: Database, tally: JournalTally) {
    // Event-loop lag, memory, processor time, open handles.
    collectDefaultMetrics({ register: this.registry, prefix: 'awp_' });
    this.gauge('awp_database_pool_connections', 'Connections of the pool.', ['state'], (gauge) => {
      const { totalCount, idleCount, waitingCount } = database.pool;
      gauge.set({ state: 'open' }, totalCount);
      gauge.set({ state: 'idle' }, idleCount);
      gauge.set({ state: 'awaited' }, waitingCount);
    });
    this.tallied(
      'awp_journal_rows_total',
      'What happened through this process, by type.',
      ['type'],
      (counter) => {
        for (const [type, count] of tally.counts) counter.inc({ type }, count);
      },
    );
    this.tallied('awp_leases_lost_total', 'Leases that ran out and were taken over.', [], (counter) =>
      counter.inc(tally.counts.get('issue.lease_lost') ?? 0),
    );
  }

  /** @param route its template; null where no route took the request */
  request(method: string, route: string | null, status: number, seconds: number): void {
    this.requests.observe({ method, route: route ?? 'none', status: String(status) }, seconds);
  }

  /** A value that is asked for at each reading. */
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

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A counter whose value is kept elsewhere and asked for at each reading. */
  private tallied<Label extends string>(
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
