import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { AgentFailuresRepository } from './agent-failures.repository.js';
import type { AgentFailure } from './failure.js';

/** What a heartbeat says of its worker: `failing` is null while the worker takes work, `worker` where it has no name. */
export interface WorkerReport {
  worker: string | null;
  failing: string | null;
}

/** Keeps which worker of an agent says that it takes no more work, for as long as a lease (contract §7.1). */
@Injectable()
export class AgentFailuresService {
  constructor(
    private readonly failures: AgentFailuresRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * Stores or ends the failure of a worker. Any other report costs no statement.
   * @returns whether something was written
   */
  async update(
    { id, failing: known }: { id: string; failing: AgentFailure | null },
    { worker, failing }: WorkerReport,
  ): Promise<boolean> {
    if (worker === null || (failing === null && known?.worker !== worker)) return false;
    if (failing === null) await this.failures.end(id, worker);
    else await this.failures.report(id, worker, failing, this.settings.leaseSeconds);
    return true;
  }
}
