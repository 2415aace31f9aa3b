import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { prepared } from '../../platform/database/service.client.js';
import { Problem } from '../../platform/http/problem.js';
import { AgentQuota, type QuotaKind } from './agent-quota.entity.js';

/** Something of one kind, or the most of it per hour, where 0 is off. */
type Quota = Pick<AgentQuota, 'number' | 'bytes'>;

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

/** 429: the agent has used up what it may write in this hour (contract §9.1). */
export class QuotaExceeded extends Problem {
  constructor(kind: QuotaKind, { number, bytes }: Quota, secondsLeft: number) {
    const most = [number > 0 && `${number} ${kind}`, bytes > 0 && `${bytes} bytes of ${kind}`].filter(
      Boolean,
    );
    super(
      'quota_exceeded',
      `An agent may write ${most.join(' and ')} per hour. Nothing was stored; go on after the time in Retry-After, or write less.`,
      { headers: { 'Retry-After': String(Math.max(1, secondsLeft)) } },
    );
  }
}

const HOUR_SECONDS = 3_600;

/**
 * Bounds what one agent writes per hour, in number and in bytes (contract §9.1). The count is in the database, so that it
 * holds over all processes and restarts. A deletion gives nothing back: the journal has grown.
 */
@Injectable()
export class QuotasService {
  private readonly quotas: Record<QuotaKind, Quota>;

  constructor(
    @InjectRepository(AgentQuota) private readonly repository: AgentQuotaRepository,
    { limits }: Settings,
  ) {
    this.quotas = {
      comments: { number: limits.commentsPerAgentHour, bytes: limits.commentBytesPerAgentHour },
      attachments: { number: limits.attachmentsPerAgentHour, bytes: limits.attachmentBytesPerAgentHour },
      // The form of a report bounds its bytes.
      'usage reports': { number: limits.usageReportsPerAgentHour, bytes: 0 },
    };
  }

  /**
   * Call it last in the transaction that writes, because it locks a row of the agent until the commit.
   * @throws {QuotaExceeded} when the caller is an agent that has used up its hour
   */
  async spend(caller: Principal, kind: QuotaKind, { number = 1, bytes = 0 }: Partial<Quota>): Promise<void> {
    const quota = this.quotas[kind];
    if (caller.type !== 'agent' || isOff(quota)) return;
    // The first of an hour is not compared with anything in the database.
    const fits = (most: number, more: number) => most === 0 || more <= most;
    const fitsAlone = fits(quota.number, number) && fits(quota.bytes, bytes);
    if (fitsAlone && (await this.repository.spend(caller.id, kind, { number, bytes }, quota))) return;
    throw await this.refusalOf(caller.id, kind);
  }

  /**
   * Checks before a file is received that the agent may write one at all.
   * @param number 0 for what counts in bytes only
   * @throws {QuotaExceeded}
   */
  async requireRoom(caller: Principal, kind: QuotaKind, number = 1): Promise<void> {
    const quota = this.quotas[kind];
    if (caller.type !== 'agent' || isOff(quota)) return;
    const spent = await this.repository.spentBy(caller.id, kind);
    if (spent === null) return;
    const isUsedUp =
      (number > 0 && quota.number > 0 && spent.number >= quota.number) ||
      (quota.bytes > 0 && spent.bytes >= quota.bytes);
    if (isUsedUp) throw new QuotaExceeded(kind, quota, spent.secondsLeft);
  }

  private async refusalOf(agentId: string, kind: QuotaKind): Promise<QuotaExceeded> {
    const spent = await this.repository.spentBy(agentId, kind);
    return new QuotaExceeded(kind, this.quotas[kind], spent?.secondsLeft ?? HOUR_SECONDS);
  }
}

function isOff({ number, bytes }: Quota): boolean {
  return number === 0 && bytes === 0;
}
