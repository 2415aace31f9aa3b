import { Problem } from '../../platform/http/problem/problem.js';
import type { Quota, QuotaKind } from './quotas.repository.js';

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
