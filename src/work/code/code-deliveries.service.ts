import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '../../platform/authentication/authentication.errors.js';
import {
  clientNetwork,
  perMinute,
  type RateLimiter,
} from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { Settings } from '../../platform/config/settings.js';
import { NetworkBytes } from '../../platform/http/byte-limits.js';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import { jsonMediaTypeError, readBody } from '../../platform/http/request-body.js';
import { currentOrigin } from '../../platform/journal/journal.service.js';
import { codeAddressOf } from './code-addresses-and-keys.js';
import {
  CodeHooksService,
  type DeliveryProof,
  newSecret,
  proofs,
} from './code-hooks-and-signatures.service.js';
import { type CodeNews, cut, type ItemNews } from './code-news.js';
import { codeProviders, type CodeProvider } from './code.entity.js';
import {
  DeliveryApplicationService,
  type DeliveryOutcome,
  DeliveryRefused,
} from './delivery-application.service.js';
import { newsOfGitHubOrGitea } from './github-and-gitea-news.js';
import { newsOfGitLab } from './gitlab-news.js';

/** Refused deliveries per minute of a network at one address, and at all of them: a code host sends from few networks. */
const REFUSED_AT_ADDRESS = 60;
const REFUSED_OF_NETWORK = 600;

/** Limits the deliveries that their signature does not admit, per client network and minute. Good ones have no limit. */
@Injectable()
export class DeliveryRateService {
  private readonly atAddress: RateLimiter;
  private readonly ofNetwork: RateLimiter;

  constructor(settings: Settings) {
    this.atAddress = perMinute('deliveries', REFUSED_AT_ADDRESS, settings);
    this.ofNetwork = perMinute('deliveries-of-network', REFUSED_OF_NETWORK, settings);
  }

  /** @throws {TooManyRequests} when the network of the client was refused too often */
  async admit(address: string): Promise<void> {
    for (const [limiter, key] of this.countsOf(address)) {
      // The supervisor did not answer: that is no reason to refuse a request.
      const count = await limiter.get(key).catch(() => null);
      if (count !== null && count.remainingPoints <= 0) throw new TooManyRequests(count.msBeforeNext);
    }
  }

  async countRefused(address: string): Promise<void> {
    // As above: the request is refused by its signature in any case.
    for (const [limiter, key] of this.countsOf(address)) await limiter.penalty(key).catch(() => null);
  }

  private countsOf(address: string): [RateLimiter, string][] {
    const network = clientNetwork(currentOrigin()?.from ?? null);
    return [
      [this.atAddress, `${network} ${address}`],
      [this.ofNetwork, network],
    ];
  }
}

/** Receives the deliveries of code hosts (contract §5.13). */
@Injectable()
export class CodeDeliveriesService {
  private readonly bytes: NetworkBytes;
  /** Signs for hooks that do not exist, so that they cost the time of others. */
  private readonly decoy = newSecret();

  constructor(
    private readonly hooks: CodeHooksService,
    private readonly application: DeliveryApplicationService,
    private readonly rate: DeliveryRateService,
    private readonly settings: Settings,
  ) {
    this.bytes = new NetworkBytes(settings.limits.bodiesMaxBytes);
  }

  /**
   * @throws {TooManyRequests} when the client's network was refused too often
   * @throws {DeliveryRefused} for an unknown hook and for a wrong signature
   */
  async receive(request: IncomingMessage, provider: string, hookId: string): Promise<DeliveryOutcome> {
    await this.rate.admit(hookId);
    const refusal = jsonMediaTypeError(request.headers['content-type'], request.headers['content-encoding']);
    if (refusal) throw new Problem('unsupported_media_type', refusal);
    const body = await this.read(request);
    const proof = codeProviders.find((known) => known === provider);
    const hook = proof ? await this.hooks.find(proof, hookId) : null;
    const { deliveryId, event, isSignedWith } = proofs[proof ?? 'github'](request.headers);
    const isSigned = isSignedWith(hook?.secret ?? this.decoy, body);
    if (!hook || !isSigned) {
      await this.rate.countRefused(hookId);
      throw new DeliveryRefused();
    }
    const named = namedBy({ deliveryId, event });
    return this.application.apply(hook, named.deliveryId, newsOf(hook.provider, named.event, parsed(body)));
  }

  private async read(request: IncomingMessage): Promise<Buffer> {
    const network = currentOrigin()?.from ?? 'unknown';
    const limit = this.settings.limits.codeDeliveryMaxBytes;
    try {
      const body = await readBody(request, {
        limit,
        hold: (from, bytes) => this.bytes.hold(network, from, bytes),
      });
      if (body === null)
        throw new Problem('payload_too_large', `A delivery may have at most ${limit} bytes.`);
      return body;
    } finally {
      this.bytes.release(request);
    }
  }
}

/** Returns what a delivery reports, or null for an event that says nothing about code. */
export function newsOf(provider: CodeProvider, event: string, payload: unknown): CodeNews | null {
  const news = provider === 'gitlab' ? newsOfGitLab(payload) : newsOfGitHubOrGitea(provider, event, payload);
  return news && { ...news, items: news.items.flatMap(plain) };
}

/** The address is the one by which a person links the same object, and texts fit their columns. */
function plain(item: ItemNews): ItemNews[] {
  const address = codeAddressOf(item.url);
  if (!address) return [];
  const title = cut(item.title, 500) || address.title;
  return [{ ...item, url: address.url, title, author: item.author === null ? null : cut(item.author, 200) }];
}

/** @throws {ValidationFailed} where a header that the code host always sends is missing */
function namedBy({ deliveryId, event }: Pick<DeliveryProof, 'deliveryId' | 'event'>) {
  if (deliveryId === null || deliveryId.length > 200)
    throw new ValidationFailed([{ path: 'headers', message: 'must have the id of the delivery' }]);
  if (event === null) throw new ValidationFailed([{ path: 'headers', message: 'must name the event' }]);
  return { deliveryId, event };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Problem(
      'malformed_json',
      'The body is not valid JSON. Choose application/json at the code host.',
    );
  }
}
