import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { whenClosed } from '../../http/when-closed.js';
import { TooManyRequests } from '../auth.errors.js';
import type { RoutePolicy } from '../policy.js';
import type { AgentPrincipal, Principal } from '../principal.js';

/**
 * Limits the requests to this process (contract §9): how many a user or agent has open at once, and the rate per minute
 * of a key or session. The routes that agents call all the time have no rate, and the open requests of each key are
 * counted by themselves, so that waiting heartbeats block nothing else. The MCP endpoint counts messages.
 */
@Injectable()
export class RequestLimitsService {
  private readonly rate: RateLimiterMemory | null;
  /** The open requests, by user or agent, or by key. */
  private readonly counts = new Map<string, number>();

  private readonly mostOpen: number;

  constructor({ rateLimitPerMinute: points, limits }: Settings) {
    this.mostOpen = limits.requestsPerPrincipal;
    this.rate = points === 0 ? null : new RateLimiterMemory({ points, duration: 60 });
  }

  /** @throws {TooManyRequests} when the key or session is over its limit */
  async enforce(caller: Principal, policy: RoutePolicy, response: ServerResponse): Promise<void> {
    const proof = caller.keyId ?? (caller.type === 'user' ? caller.sessionId : null) ?? caller.id;
    this.enter(policy.frequent ? `${proof} frequent` : caller.id, response);
    if (policy.agents !== 'self') await this.count(proof);
  }

  /**
   * Counts a request that does not pass the guard of the routes as open.
   * @throws {TooManyRequests} when the agent has too many requests open
   */
  open(agent: AgentPrincipal, response: ServerResponse): void {
    this.enter(agent.id, response);
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

  private enter(name: string, response: ServerResponse): void {
    const open = this.counts.get(name) ?? 0;
    if (open >= this.mostOpen)
      throw new TooManyRequests(
        1_000,
        `You have ${open} requests open. Wait until some of them are answered.`,
      );
    this.counts.set(name, open + 1);
    whenClosed(response, () => this.leave(name));
  }

  private leave(name: string): void {
    const open = this.counts.get(name)! - 1;
    if (open > 0) this.counts.set(name, open);
    else this.counts.delete(name);
  }
}
