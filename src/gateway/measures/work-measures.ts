import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../../platform/health/metrics.js';
import { statuses } from '../../work/issues/issue-status.js';
import { stuckInCircles } from './circles.js';
import { Remembered } from './remembered.js';
import { WorkMeasuresRepository } from './work-measures.repository.js';

const COUNTS_MS = 10_000;
/** They go through every open issue. */
const INVARIANTS_MS = 60_000;

/** Issues, agents, and what must never be (spec §5.3): the whole service's, the same in each process. */
@Injectable()
export class WorkMeasures implements OnModuleInit {
  private readonly issues = new Remembered(() => this.repository.issuesByStatus(), COUNTS_MS);
  private readonly agents = new Remembered(() => this.repository.agentsAlive(), COUNTS_MS);
  private readonly violations = new Remembered(() => this.findViolations(), INVARIANTS_MS);

  constructor(
    private readonly repository: WorkMeasuresRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('awp_issues', 'Issues by status.', ['status'], async (gauge) => {
      const counts = await this.issues.get();
      if (!counts) return;
      for (const status of statuses) gauge.set({ status }, 0);
      for (const { status, count } of counts) gauge.set({ status }, count);
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
      waiting_for_nobody: await this.repository.waitingForNobody(),
      going_on_blocked: await this.repository.goingOnBlocked(),
      stuck_in_circles: stuckInCircles(await this.repository.waitingEdges()),
    };
  }
}
