import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { prepared } from '../../platform/database/service.client.js';
import { AgentQuota, type QuotaKind } from './agent-quota.entity.js';

/** Something of one kind, or the most of it per hour, where 0 is off. */
export type Quota = Pick<AgentQuota, 'number' | 'bytes'>;

const HOUR = `interval '1 hour'`;
const IS_OVER = `w.since <= now() - ${HOUR}`;

const SPEND = prepared(
  'quotas.spend',
  `INSERT INTO agent_quotas AS w (agent_id, kind, since, number, bytes) VALUES ($1, $2, now(), $3::bigint, $4::bigint)
   ON CONFLICT (agent_id, kind) DO UPDATE SET
     since = CASE WHEN ${IS_OVER} THEN now() ELSE w.since END,
     number = CASE WHEN ${IS_OVER} THEN excluded.number ELSE w.number + excluded.number END,
     bytes = CASE WHEN ${IS_OVER} THEN excluded.bytes ELSE w.bytes + excluded.bytes END
   WHERE ${IS_OVER}
     OR (($5::bigint = 0 OR excluded.number = 0 OR w.number + excluded.number <= $5::bigint)
       AND ($6::bigint = 0 OR w.bytes + excluded.bytes <= $6::bigint))
   RETURNING 1`,
);

/** The statements about quotas, which stay SQL (decision 0053). */
@Injectable()
export class AgentQuotaRepository extends Repository<AgentQuota> {
  constructor(@InjectDataSource() source: DataSource) {
    super(AgentQuota, source.manager);
  }

  /**
   * SQL: agents write in most turns, and the sums are made where the row is locked. Adds to what the agent has written. The
   * hour begins with the first, and the next one after its end.
   * @returns false when the agent's quota of this hour does not admit it; then nothing is counted
   */
  async spend(agentId: string, kind: QuotaKind, more: Quota, most: Quota): Promise<boolean> {
    const parameters = [agentId, kind, more.number, more.bytes, most.number, most.bytes];
    return (await this.query<unknown[]>(SPEND, parameters)).length === 1;
  }

  /** SQL: time passes in the database. Returns what the agent has spent in its present hour, and when that ends; null for none. */
  async spentBy(agentId: string, kind: QuotaKind): Promise<(Quota & { secondsLeft: number }) | null> {
    const [spent] = await this.query<(Quota & { secondsLeft: number })[]>(
      `SELECT number::float8 AS number, bytes::float8 AS bytes,
         ceil(extract(epoch FROM since + ${HOUR} - now()))::int AS "secondsLeft"
       FROM agent_quotas w WHERE agent_id = $1 AND kind = $2 AND NOT ${IS_OVER}`,
      [agentId, kind],
    );
    return spent ?? null;
  }
}
