import { Injectable } from '@nestjs/common';
import { HostEnvironment } from './host-environment.js';
import { CANDIDATES, findRuntime } from './find-runtime.js';
import type { RuntimeReport } from './runtime-report.js';

const MAX_AGE_MS = 30_000;

/** Reports the runtimes of this host that servers can use (contract §3.2). */
@Injectable()
export class RuntimeService {
  /** Reports the runtimes of the host that runs the servers, where that is another one; null when it does not respond. */
  elsewhere: ((refresh: boolean) => Promise<RuntimeReport | null>) | null = null;
  private last: { report: RuntimeReport; until: number } | null = null;
  private running: Promise<RuntimeReport> | null = null;

  constructor(private readonly environment: HostEnvironment) {}

  /** Returns a report at most 30 s old, or a new one with `refresh`. Concurrent callers share one probe of the host. */
  async report(refresh = false): Promise<RuntimeReport> {
    const theirs = await this.elsewhere?.(refresh);
    if (theirs) return theirs;
    if (!refresh && this.last && performance.now() < this.last.until) return this.last.report;
    this.running ??= this.probe().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async probe(): Promise<RuntimeReport> {
    const [node, python, pipx] = await Promise.all([
      findRuntime(CANDIDATES.node, this.environment),
      findRuntime(CANDIDATES.python, this.environment),
      findRuntime(CANDIDATES.pipx, this.environment),
    ]);
    const report = { node, python, pipx };
    this.last = { report, until: performance.now() + MAX_AGE_MS };
    return report;
  }
}
