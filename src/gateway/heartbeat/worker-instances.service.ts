import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { IssueLeasesService } from '../../work/leases/leases.service.js';
import { HeartbeatRepository } from './heartbeat.repository.js';
import { type NamedProcess, WorkerInstanceRepository } from './worker-instance.repository.js';
import { WorkerInstance } from './worker-instance.entity.js';

/** 409: another process works under this name. */
export class WorkerTaken extends Problem {
  constructor(since: Date, retryAfterSeconds: number) {
    super(
      'worker_taken',
      'Another process works under this worker name: use a name of your own, wait until that process is silent, or send takeOver once it has ended.',
      { members: { since, retryAfterSeconds }, headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }
}

/** 409: another process has taken the name over, and the leases with it. */
export class WorkerSuperseded extends Problem {
  constructor() {
    super(
      'worker_superseded',
      'Another process has taken over this worker name and its leases: stop all work, and start again with a new instance.',
    );
  }
}

/**
 * Lets one process work under the name of a worker (contract §7.1). The row of the agent is the lock: names change hands
 * only while it is held, and leases are handed to a named process only after a look at the name under it.
 */
@Injectable()
export class WorkerInstancesService {
  constructor(
    @InjectRepository(WorkerInstance) private readonly instances: WorkerInstanceRepository,
    private readonly heartbeats: HeartbeatRepository,
    private readonly leases: IssueLeasesService,
    private readonly settings: Settings,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Notes a heartbeat of a process, which gets the name where that is free, silent for a lease, or taken over.
   * @returns whether it got the name now, and with it leases whose new tokens it cannot know
   * @throws {WorkerTaken | WorkerSuperseded} when another process has the name
   */
  async admit(process: NamedProcess, takeOver: boolean): Promise<boolean> {
    if (await this.instances.see(process)) return false;
    return this.transactions.run(() => this.claim(process, takeOver));
  }

  /**
   * Checks, under the lock of the agent, that the process still has the name.
   * @throws {WorkerSuperseded}
   */
  async confirm(process: NamedProcess): Promise<void> {
    if (!(await this.instances.see(process))) throw new WorkerSuperseded();
  }

  private async claim(process: NamedProcess, takeOver: boolean): Promise<boolean> {
    await this.heartbeats.lockAgent(process.agentId);
    // The same process may send two heartbeats at once.
    if (await this.instances.see(process)) return false;
    const holder = await this.instances.lock(process, this.settings.leaseSeconds);
    if (holder?.supersedesCaller) throw new WorkerSuperseded();
    if (holder && holder.secondsLeft > 0 && !takeOver)
      throw new WorkerTaken(holder.since, holder.secondsLeft);
    await this.instances.take(process);
    await this.leases.takeOver(process.agentId, process.worker);
    return true;
  }
}
