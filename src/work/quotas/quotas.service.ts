import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '../../platform/authentication/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { Problem } from '../../platform/http/problem.js';
import { AgentQuota, type QuotaKind } from './agent-quota.entity.js';
import { AgentQuotaRepository, type Quota } from './agent-quota.repository.js';

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
