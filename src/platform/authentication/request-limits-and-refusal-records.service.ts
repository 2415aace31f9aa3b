import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings.js';
import { whenClosed } from '../http/in-flight-connections-and-slow-readers.js';
import { pathOf } from '../http/problem.filter.js';
import type { Problem, ProblemCode } from '../http/problem.js';
import { currentOrigin, JournalService } from '../journal/journal.service.js';
import { TooManyRequests } from './authentication.errors.js';
import type { RoutePolicy } from './route-policies-and-agent-itself.js';
import type { AgentPrincipal, Principal } from './principals-and-roles.js';

/** The part of an IPv6 address that a provider assigns to one customer, who may use any address in it. */
const IPV6_PREFIX_BITS = 64;

/** Returns the name under which the requests of a client's address are counted. @param address null where it is unknown */
export function clientNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return address ?? 'unknown';
  const plain = ipaddr.process(address);
  if (plain.kind() === 'ipv4') return plain.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${plain.toString()}/${IPV6_PREFIX_BITS}`);
  return `${network.toString()}/${IPV6_PREFIX_BITS}`;
}

/** A whole company may share one address; one that sends more than this floods the service or the provider. */
const PER_MINUTE = 300;

export type RateLimiter = RateLimiterCluster | RateLimiterMemory;

/**
 * Counts per minute: in the supervisor for all processes of the start together, or in this process where it is alone. The supervisor keeps the
 * limit that a name had first, so the limit is a part of the name: processes that replace others may have another one.
 */
export function perMinute(name: string, points: number, { parent }: Settings): RateLimiter {
  const options = { keyPrefix: `${name} up to ${points}`, points, duration: 60 };
  return parent ? new RateLimiterCluster(options) : new RateLimiterMemory(options);
}

/** @throws {TooManyRequests} when more was counted than the limit has */
async function consume(limiter: RateLimiter, key: string, points: number): Promise<void> {
  try {
    await limiter.consume(key, points);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw new TooManyRequests(error.msBeforeNext);
    // The supervisor did not answer: that is no reason to refuse a request.
  }
}

/** Limits the requests of the sign-in that need no credential, per client network and minute. */
@Injectable()
export class OidcRateService {
  private readonly rate: RateLimiter;

  constructor(settings: Settings) {
    this.rate = perMinute('sign-in', PER_MINUTE, settings);
  }

  /** @throws {TooManyRequests} when the network of the client is over the limit */
  async count(): Promise<void> {
    await consume(this.rate, clientNetwork(currentOrigin()?.from ?? null), 1);
  }
}

/**
 * Limits the requests (contract §9): how many a user or agent has open at once in this process, and the rate per minute
 * of a key or session. The routes that agents call all the time have no rate, and the open requests of each key are
 * counted by themselves, so that waiting heartbeats block nothing else. The MCP endpoint counts messages.
 */
@Injectable()
export class RequestLimitsService {
  private readonly rate: RateLimiter | null;
  /** The open requests, by user or agent, or by key. */
  private readonly counts = new Map<string, number>();

  private readonly mostOpen: number;
  private readonly perMinute: number;

  constructor(settings: Settings) {
    const { rateLimitPerMinute: points, limits } = settings;
    this.mostOpen = limits.requestsPerPrincipal;
    this.perMinute = points;
    this.rate = points === 0 ? null : perMinute('requests', points, settings);
  }

  /** @throws {TooManyRequests} when the key or session is over its limit */
  async enforce(caller: Principal, policy: RoutePolicy, response: ServerResponse): Promise<void> {
    const proof = proofOf(caller);
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

  /**
   * Counts one request as so many more, where it does the work of many. A limit that is lower than this takes all of it.
   * @throws {TooManyRequests} when the key or session is over its limit
   */
  async countMore(caller: Principal, more: number): Promise<void> {
    if (more > 0) await this.count(proofOf(caller), Math.min(more, this.perMinute - 1));
  }

  private async count(proof: string, points = 1): Promise<void> {
    if (this.rate) await consume(this.rate, proof, points);
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

/** What a caller is counted by: the key or session in use. */
function proofOf(caller: Principal): string {
  return caller.keyId ?? (caller.type === 'user' ? caller.sessionId : null) ?? caller.id;
}

const MINUTE_MS = 60_000;
/** Bounds the memory that a flood of different names costs. Further names count as seen. */
const MOST_NAMES = 10_000;

/** Recognises the first of many equal events per minute, so that a flood of them leaves few records. */
export class OncePerMinute {
  private seen = new Set<string>();
  private minute = 0;

  /** Returns true the first time that `name` comes in this minute. */
  first(name: string, now: number = performance.now()): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.seen = new Set();
    }
    if (this.seen.has(name) || this.seen.size >= MOST_NAMES) return false;
    this.seen.add(name);
    return true;
  }
}

/** What the guard, or a step before Express, has written into a request. */
type MarkedRequest = IncomingMessage & { user?: Principal; route?: { path?: string } };

const OF_PERMISSION = new Set<ProblemCode>([
  'forbidden',
  'not_yours',
  'assignment_refused',
  'agent_disabled',
  'csrf_rejected',
  'author_type_mismatch',
]);

/**
 * Records callers that were refused for lack of permission (`access.refused`, contract §8.5). Each process writes at most
 * one row per caller, route, code and minute, because a client that tries in a loop must not fill a table that nothing
 * prunes.
 */
@Injectable()
export class RefusalRecordsService {
  private readonly log = new Logger(RefusalRecordsService.name);
  private readonly once = new OncePerMinute();

  constructor(private readonly journal: JournalService) {}

  /** Resolves once the row is written, or is not needed. A failure to write is logged and changes no response. */
  async note(request: MarkedRequest, problem: Problem): Promise<void> {
    const { method, user: caller } = request;
    const path = pathOf(request);
    if (!caller || !OF_PERMISSION.has(problem.code)) return;
    const route = request.route?.path ?? path;
    if (!this.once.first(`${caller.type} ${caller.id} ${method} ${route} ${problem.code}`)) return;
    const { code, detail } = problem;
    try {
      await this.journal.record({
        type: 'access.refused',
        subject: { type: 'route', id: `${method} ${route}` },
        data: { method, path: path.slice(0, 500), code, detail },
      });
    } catch (error) {
      this.log.warn(
        `The refusal of ${method} ${route} could not be recorded in the audit: ${error instanceof Error ? error.message : 'unknown error'}`,
      );
    }
  }
}
