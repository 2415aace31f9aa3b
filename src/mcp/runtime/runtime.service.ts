import { Injectable } from '@nestjs/common';
import { HostEnvironment } from './host-environment.js';
import { findRuntime, type Wanted } from './probe.js';
import type { RuntimeReport } from './runtime-report.js';

const keptMs = 30_000;

/** Node is the one that runs the service, since servers are started with it; python3 comes before python. */
const wanted: Record<keyof RuntimeReport, Wanted> = {
  node: { programs: [process.execPath], leastMajor: 0 },
  python: { programs: ['python3', 'python'], leastMajor: 3 },
  pipx: { programs: ['pipx'], leastMajor: 0 },
};

/** What this host has to run servers with (spec §3.2). */
@Injectable()
export class RuntimeService {
  private kept: { report: RuntimeReport; until: number } | null = null;
  private looking: Promise<RuntimeReport> | null = null;

  constructor(private readonly environment: HostEnvironment) {}

  /** At most 30 s old, or new with `refresh`; those who ask while someone looks share one look. */
  async report(refresh = false): Promise<RuntimeReport> {
    if (!refresh && this.kept && performance.now() < this.kept.until) return this.kept.report;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async look(): Promise<RuntimeReport> {
    const [node, python, pipx] = await Promise.all([
      findRuntime(wanted.node, this.environment),
      findRuntime(wanted.python, this.environment),
      findRuntime(wanted.pipx, this.environment),
    ]);
    const report = { node, python, pipx };
    this.kept = { report, until: performance.now() + keptMs };
    return report;
  }
}
