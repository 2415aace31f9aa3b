import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { TooManyRequests } from '../auth.errors.js';
import type { RoutePolicy } from '../policy.js';
import type { AgentPrincipal, Principal } from '../principal.js';

/**
 * Limits the requests of one key or session to this process (contract §9): the rate per minute, or, for the routes that
 * agents call all the time, how many are open at once. The MCP endpoint counts messages.
 */
@Injectable()
export class RequestLimitsService {
  private readonly rate: RateLimiterMemory | null;
  private readonly open = new Map<string, number>();

  constructor({ rateLimitPerMinute: points }: Settings) {
    this.rate = points === 0 ? null : new RateLimiterMemory({ points, duration: 60 });
  }

  /** @throws {TooManyRequests} when the key or session is over its limit */
  async enforce(caller: Principal, policy: RoutePolicy, response: Response): Promise<void> {
    const proof = caller.keyId ?? (caller.type === 'user' ? caller.sessionId : null) ?? caller.id;
    if (policy.atOnce !== null) this.enter(proof, policy.atOnce, response);
    else if (policy.agents !== 'self') await this.count(proof);
  }

  /**
   * Counts the messages of one request to the MCP endpoint.
   * @throws {TooManyRequests} when the key is over its limit
   */
  async countMessages({ keyId }: AgentPrincipal, messages: number): Promise<void> {
    await this.count(keyId, messages);
  }

  private async count(proof: string, points = 1): Promise<void> {
    try {
      await this.rate?.consume(proof, points);
    } catch (error) {
      throw error instanceof RateLimiterRes ? new TooManyRequests(error.msBeforeNext) : error;
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
