import { Injectable } from '@nestjs/common';
import { MetricsService } from '../../platform/health/metrics.service.js';
import type { GateKind } from '../issues/status/gate-state.js';

/** One minute to one week. */
const BUCKETS = [1, 5, 15, 60, 240, 1_440, 4_320, 10_080];

/** Measures how long people take to answer (contract §8.1). */
@Injectable()
export class GateMetricsProvider {
  private readonly minutes;

  constructor(metrics: MetricsService) {
    const help = 'Minutes from the opening of a gate to its answer.';
    this.minutes = metrics.histogram('awp_gate_answer_minutes', help, ['kind'], BUCKETS);
  }

  answered(kind: GateKind, openedAt: Date, answeredAt: Date): void {
    this.minutes.observe({ kind }, Math.max(0, answeredAt.getTime() - openedAt.getTime()) / 60_000);
  }
}
