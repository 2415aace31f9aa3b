import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { TooManyRequests } from '../auth.errors.js';
import type { RoutePolicy } from '../policy.js';
import type { Principal } from '../principal.js';

/**
 * How much one key or session may ask of this process (spec §9): requests a minute; for what agents call all the
 * time instead how many at once. The MCP endpoint has the limits of its calls.
 */
@Injectable()
export class RequestLimits {
  private readonly rate: RateLimiterMemory | null;
  private readonly open = new Map<string, number>();

  constructor({ rateLimitPerMinute: points }: Settings) {
    this.rate = points === 0 ? null : new RateLimiterMemory({ points, duration: 60 });
  }

  /** @throws {TooManyRequests} */
  async enforce(caller: Principal, policy: RoutePolicy, response: Response): Promise<void> {
    const proof = caller.keyId ?? (caller.type === 'user' ? caller.sessionId : null) ?? caller.id;
    if (policy.atOnce !== null) this.enter(proof, policy.atOnce, response);
    else if (policy.agents !== 'self') await this.count(proof);
  }

  private async count(proof: string): Promise<void> {
    try {
      await this.rate?.consume(proof);
    } catch (fault) {
      throw fault instanceof RateLimiterRes ? new TooManyRequests(fault.msBeforeNext) : fault;
    }
  }

  private enter(proof: string, most: number, response: Response): void {
    const open = this.open.get(proof) ?? 0;
    if (open >= most) throw new TooManyRequests(1_000);
    this.open.set(proof, open + 1);
    response.once('close', () => this.leave(proof));
  }

  private leave(proof: string): void {
    const open = this.open.get(proof)! - 1;
    if (open > 0) this.open.set(proof, open);
    else this.open.delete(proof);
  }
}
