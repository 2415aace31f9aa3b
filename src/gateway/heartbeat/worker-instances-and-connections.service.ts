import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Not, Raw, Repository } from 'typeorm';
import { ConnectResponse } from '../../agents/agent.dto.js';
import { LeaseKeysService } from '../../platform/authentication/lease-keys.service.js';
import { Settings } from '../../platform/config/settings.js';
import { prepared } from '../../platform/database/service.client.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { PublicAddress } from '../../platform/http/origins-and-redirects.js';
import { Problem } from '../../platform/http/problem.js';
import { IssueLeasesService } from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { HeartbeatRepository } from './heartbeat.repository.js';
import { WorkerInstance } from './worker-instance.entity.js';

/** A process that works under the name of an agent's worker. */
export interface NamedProcess {
  agentId: string;
  worker: string;
  instance: string;
}

/** What is known of a name that another process has. */
export interface NameHolder {
  since: Date;
  /** How long its process may still be silent before another one may have the name; 0 or less once that is over. */
  secondsLeft: number;
  /** Whether the asking process had the name before. */
  supersedesCaller: boolean;
}

/** How many processes that lost a name are remembered, so that each of them learns that it has to end. */
const REMEMBERED = 100;

const SEE = prepared(
  'worker-instances.see',
  'UPDATE worker_instances SET seen_at = now() WHERE agent_id = $1 AND worker = $2 AND instance = $3',
);

@Injectable()
export class WorkerInstanceRepository extends Repository<WorkerInstance> {
  constructor(@InjectDataSource() source: DataSource) {
    super(WorkerInstance, source.manager);
  }

  /** SQL: every heartbeat sends it. Notes a heartbeat of the process that has the name. @returns false when it has not */
  async see({ agentId, worker, instance }: NamedProcess): Promise<boolean> {
    const [, seen] = await this.query<[unknown, number]>(SEE, [agentId, worker, instance]);
    return seen === 1;
  }

  /**
   * SQL: reckons by the clock of the database. Locks the name, so that a heartbeat of its process does not come in
   * between. Returns null for one that is free.
   */
  async lock({ agentId, worker, instance }: NamedProcess, leaseSeconds: number): Promise<NameHolder | null> {
    const [row] = await this.query<NameHolder[]>(
      `SELECT since, ceil($4 - extract(epoch FROM now() - seen_at))::int AS "secondsLeft",
              $3 = ANY(superseded) AS "supersedesCaller"
       FROM worker_instances WHERE agent_id = $1 AND worker = $2 FOR NO KEY UPDATE`,
      [agentId, worker, instance, leaseSeconds],
    );
    return row ?? null;
  }

  /** Gives the name to the process, and forgets names of the agent that no process has used for a day. */
  async take({ agentId, worker, instance }: NamedProcess): Promise<void> {
    await this.delete({
      agentId,
      worker: Not(worker),
      seenAt: Raw((seen) => `${seen} < now() - interval '1 day'`),
    });
    // SQL: adds to what the row has.
    await this.query(
      `INSERT INTO worker_instances AS w (agent_id, worker, instance) VALUES ($1, $2, $3)
       ON CONFLICT (agent_id, worker) DO UPDATE
       SET instance = $3, since = now(), seen_at = now(),
           superseded = (w.instance || w.superseded)[1:${REMEMBERED}]`,
      [agentId, worker, instance],
    );
  }
}

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

/** Returns how an MCP client connects for one lease of an agent. */
export type ConnectFor = (issueId: string, token: number) => ConnectResponse;

/** Says how the process that works on an issue reaches the tools, without the agent's own key (contract §7.9). */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly leaseKeys: LeaseKeysService,
    private readonly address: PublicAddress,
  ) {}

  of(agentId: string): ConnectFor {
    return (issueId, token) => ({
      url: `${this.address.url}/mcp`,
      headers: { Authorization: `Bearer ${this.leaseKeys.keyOf({ agentId, issueId, token })}` },
    });
  }
}
