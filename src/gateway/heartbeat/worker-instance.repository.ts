import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Not, Raw, Repository } from 'typeorm';
import { prepared } from '../../platform/database/service.client.js';
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
