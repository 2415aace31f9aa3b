import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { statuses } from '../../work/issues/status/issue-status.js';
import { CachedValue } from './cached-value.js';
import { countStuckInCycles } from './cycles.js';
import { WorkMetricsRepository } from './work-metrics.repository.js';

const COUNTS_MS = 10_000;
/** These queries read every unresolved issue. */
const INVARIANTS_MS = 60_000;

/** Measures issues, agents and broken invariants (contract §5.3) of the whole installation: each process reports the same. */
@Injectable()
export class WorkMetricsProvider implements OnModuleInit {
  private readonly issues = new CachedValue(() => this.repository.issuesByStatus(), COUNTS_MS);
  private readonly gates = new CachedValue(() => this.repository.openGates(), COUNTS_MS);
  private readonly agents = new CachedValue(() => this.repository.agentsAlive(), COUNTS_MS);
  private readonly violations = new CachedValue(() => this.findViolations(), INVARIANTS_MS);

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
