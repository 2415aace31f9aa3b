import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { countOrphans } from '../../mcp/processes/supervision/orphans.js';
import { ServerSupervisor } from '../../mcp/processes/supervision/server-supervisor.js';
import { serverStatuses } from '../../mcp/server-records/server-records.entities.js';
import { Settings } from '../../platform/config/settings.js';
import { MetricsService, SampledValue } from '../../platform/health/metrics.service.js';
import { isBlocked } from '../../work/issue-status/issue-dependencies.repository.js';
import { gateKinds, statuses } from '../../work/issue-status/issue-status.js';

/** Numbers of webhooks, and what waits to be sent. */
interface WebhookCounts {
  enabled: number;
  /** By a person. */
  disabled: number;
  /** By the service, because of what their addresses answered. */
  ended: number;
  waiting: number;
  oldestSeconds: number;
}

/** No more deliveries are counted, to bound the cost of a backlog. */
const MOST_WAITING = 10_000;

/**
 * The order is that of the index of pending deliveries, so that no other row is read. An event that has no deliveries yet
 * waits too: without a process that does background work it would wait for ever.
 */
const WEBHOOKS = `
  SELECT w.*, d.waiting, greatest(d.seconds, j.seconds, 0) AS "oldestSeconds" FROM
    (SELECT count(*) FILTER (WHERE NOT disabled)::int AS enabled,
       count(*) FILTER (WHERE disabled AND disabled_reason IS NULL AND deleted_at IS NULL)::int AS disabled,
       count(disabled_reason)::int AS ended, min(since_position) FILTER (WHERE NOT disabled) AS since FROM webhooks) AS w,
    (SELECT count(*)::int AS waiting, extract(epoch FROM now() - min(created_at))::float8 AS seconds FROM (
       SELECT created_at FROM webhook_deliveries WHERE status = 'pending'
       ORDER BY webhook_id, lane, event_position LIMIT ${MOST_WAITING}) AS pending) AS d,
    LATERAL (SELECT extract(epoch FROM now() - (
       SELECT created_at FROM journal WHERE w.enabled > 0
         AND position > (SELECT greatest(position, w.since) FROM webhook_feed)
       ORDER BY position LIMIT 1))::float8 AS seconds) AS j`;

/** Cycles are looked for among at most so many links, to bound the cost. */
const MOST_EDGES = 100_000;

export interface Edge {
  source: string;
  target: string;
}

@Injectable()
export class WorkMetricsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  issuesByStatus(): Promise<{ status: string; count: number }[]> {
    return this.source.query('SELECT status, count(*)::int AS count FROM issues GROUP BY status');
  }

  /** Counts the agents that sent a heartbeat in the last three minutes, the default length of a lease. */
  async agentsAlive(): Promise<number> {
    const [row] = await this.source.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM agents
       WHERE retired_at IS NULL AND last_heartbeat_at > now() - interval '3 minutes'`);
    return row!.count;
  }

  /** Counts the open gates by kind and age; every pair is there, so that a series does not end when its last gate does. */
  openGates(): Promise<{ kind: string; age: string; count: number }[]> {
    return this.source.query(
      `SELECT kinds.kind, ages.age, count(g.id)::int AS count
       FROM unnest($1::text[]) AS kinds(kind)
       CROSS JOIN (VALUES ('under_1h', interval '0', interval '1 hour'), ('under_1d', interval '1 hour', interval '1 day'),
                          ('over_1d', interval '1 day', interval '1000 years')) AS ages(age, least, most)
       LEFT JOIN gates g ON g.state = 'open' AND g.kind = kinds.kind
         AND now() - g.created_at >= ages.least AND now() - g.created_at < ages.most
       GROUP BY kinds.kind, ages.age`,
      [gateKinds],
    );
  }

  /** Counts the installed servers, which are few. */
  serversByStatus(): Promise<{ status: string; count: number }[]> {
    return this.source.query('SELECT status, count(*)::int AS count FROM installed_servers GROUP BY status');
  }

  async webhooks(): Promise<WebhookCounts> {
    const [row] = await this.source.query<[WebhookCounts]>(WEBHOOKS);
    return row;
  }

  /** Counts the issues that wait although nothing blocks them: they would never be worked on (contract §5.3). */
  async waitingUnblocked(): Promise<number> {
    const [row] = await this.source.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM issues i
       WHERE i.status = 'WaitingOnDependency' AND NOT ${isBlocked('i.id')}`);
    return row!.count;
  }

  /** Counts the issues that do not wait although they are blocked (contract §5.3). */
  async activeButBlocked(): Promise<number> {
    const [row] = await this.source.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM issues i
       WHERE i.status IN ('Open', 'InProgress', 'PendingReview') AND ${isBlocked('i.id')}`);
    return row!.count;
  }

  /** The blocking links between two issues that both wait: a cycle that blocks anything consists of these. */
  waitingEdges(): Promise<Edge[]> {
    return this.source.query<
      Edge[]
    >(`SELECT l.source_issue_id AS source, l.target_issue_id AS target FROM issue_links l
       JOIN issues s ON s.id = l.source_issue_id AND s.status = 'WaitingOnDependency'
       JOIN issues t ON t.id = l.target_issue_id AND t.status = 'WaitingOnDependency'
       WHERE l.link_type = 'Blocks' LIMIT ${MOST_EDGES}`);
  }
}

/** Counts the issues that are left when every issue that can be unblocked has been: those in cycles and those behind them. */
export function countStuckInCycles(edges: readonly Edge[]): number {
  const waitsFor = new Map<string, number>();
  const blocks = new Map<string, string[]>();
  for (const { source, target } of edges) {
    waitsFor.set(target, (waitsFor.get(target) ?? 0) + 1);
    waitsFor.set(source, waitsFor.get(source) ?? 0);
    blocks.set(source, [...(blocks.get(source) ?? []), target]);
  }
  const free = [...waitsFor].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waitsFor.delete(id);
    for (const target of blocks.get(id) ?? []) {
      const left = waitsFor.get(target)! - 1;
      waitsFor.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  return waitsFor.size;
}

const COUNTS_MS = 10_000;
/** These queries read every unresolved issue. */
const INVARIANTS_MS = 60_000;

/** Measures issues, agents and broken invariants (contract §5.3) of the whole installation: each process reports the same. */
@Injectable()
export class WorkMetricsProvider implements OnModuleInit {
  private readonly issues = new SampledValue(() => this.repository.issuesByStatus(), COUNTS_MS);
  private readonly gates = new SampledValue(() => this.repository.openGates(), COUNTS_MS);
  private readonly agents = new SampledValue(() => this.repository.agentsAlive(), COUNTS_MS);
  private readonly violations = new SampledValue(() => this.findViolations(), INVARIANTS_MS);

  constructor(
    private readonly repository: WorkMetricsRepository,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('awp_issues', 'Issues by status.', ['status'], async (gauge) => {
      const counts = await this.issues.get();
      if (!counts) return;
      for (const status of statuses) gauge.set({ status }, 0);
      for (const { status, count } of counts) gauge.set({ status }, count);
    });
    this.metrics.gauge('awp_gates_open', 'Open gates by kind and age.', ['kind', 'age'], async (gauge) => {
      for (const { kind, age, count } of (await this.gates.get()) ?? []) gauge.set({ kind, age }, count);
    });
    this.metrics.gauge(
      'awp_agents_alive',
      'Agents heard of in the last three minutes.',
      [],
      async (gauge) => {
        const count = await this.agents.get();
        if (count !== null) gauge.set(count);
      },
    );
    const help = 'Issues that break a rule which must hold at every commit: always 0.';
    this.metrics.gauge('awp_invariant_violations', help, ['invariant'], async (gauge) => {
      const found = await this.violations.get();
      for (const [invariant, count] of Object.entries(found ?? {})) gauge.set({ invariant }, count);
    });
  }

  private async findViolations(): Promise<Record<string, number>> {
    return {
      waiting_for_nobody: await this.repository.waitingUnblocked(),
      going_on_blocked: await this.repository.activeButBlocked(),
      stuck_in_circles: countStuckInCycles(await this.repository.waitingEdges()),
    };
  }
}

/** Counting them reads every process of the host. */
const ORPHANS_MS = 30_000;

/** Measures the installed MCP servers, the processes of them that this service has started, and orphaned ones. */
@Injectable()
export class McpMetricsProvider implements OnModuleInit {
  private readonly orphans = new SampledValue(() => countOrphans(this.settings.dataDir), ORPHANS_MS);
  private readonly servers = new SampledValue(() => this.repository.serversByStatus(), COUNTS_MS);

  constructor(
    private readonly repository: WorkMetricsRepository,
    private readonly supervisor: ServerSupervisor,
    private readonly settings: Settings,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('awp_mcp_connections', 'Live connections to MCP servers.', ['kind'], (gauge) => {
      const live = this.supervisor.live();
      const processes = live.filter(({ pid }) => pid !== null).length;
      gauge.set({ kind: 'process' }, processes);
      gauge.set({ kind: 'remote' }, live.length - processes);
    });
    this.metrics.gauge('awp_mcp_calls_in_flight', 'Calls of MCP servers under way.', [], (gauge) =>
      gauge.set(this.supervisor.live().reduce((sum, { inFlight }) => sum + inFlight, 0)),
    );
    this.metrics.gauge('awp_mcp_servers', 'Installed MCP servers by status.', ['status'], async (gauge) => {
      const counts = await this.servers.get();
      if (!counts) return;
      for (const status of serverStatuses) gauge.set({ status }, 0);
      for (const { status, count } of counts) gauge.set({ status }, count);
    });
    const help = 'Processes of MCP servers whose service process is dead: always 0.';
    this.metrics.gauge('awp_mcp_orphan_processes', help, [], async (gauge) => {
      const count = await this.orphans.get();
      if (count !== null) gauge.set(count);
    });
  }
}

/** Measures the webhooks of the whole installation. The attempts of this process are counted where they are made. */
@Injectable()
export class WebhookMetricsProvider implements OnModuleInit {
  private readonly webhooks = new SampledValue(() => this.repository.webhooks(), COUNTS_MS);

  constructor(
    private readonly repository: WorkMetricsRepository,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    const states = 'Webhooks by state; the service has ended those whose address is gone.';
    this.metrics.gauge('awp_webhooks', states, ['state'], async (gauge) => {
      const counts = await this.webhooks.get();
      for (const state of counts ? (['enabled', 'disabled', 'ended'] as const) : [])
        gauge.set({ state }, counts![state]);
    });
    const waiting = `Deliveries that are to be sent, up to ${MOST_WAITING}.`;
    this.metrics.gauge('awp_webhook_deliveries_waiting', waiting, [], async (gauge) => {
      const counts = await this.webhooks.get();
      if (counts) gauge.set(counts.waiting);
    });
    const oldest = 'Age of the oldest event that is still to be sent to a webhook.';
    this.metrics.gauge('awp_webhook_oldest_waiting_seconds', oldest, [], async (gauge) => {
      const counts = await this.webhooks.get();
      if (counts) gauge.set(counts.oldestSeconds);
    });
  }
}
