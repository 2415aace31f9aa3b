import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { TooManyRequests } from '../../platform/authentication/authentication.errors.js';
import {
  clientNetwork,
  perMinute,
  type RateLimiter,
} from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { KeyedQueue } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NetworkBytes } from '../../platform/http/byte-limits.js';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import { jsonMediaTypeError, readBody } from '../../platform/http/request-body.js';
import { currentOrigin } from '../../platform/journal/journal.service.js';
import { codeAddressOf, repositoryAddressOf } from './code-addresses-and-keys.js';
import {
  CodeHooksService,
  type DeliveryProof,
  newSecret,
  proofs,
} from './code-hooks-and-signatures.service.js';
import { type CodeNews, cut, type ItemNews } from './code-news.js';
import { type CodeHook, codeProviders, type CodeProvider } from './code.entity.js';
import { CodeRepository } from './code.repository.js';
import { DeliveryApplicationService } from './delivery-application.service.js';
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

/** What became of a delivery; `ignored` says in a sentence why. */
export interface DeliveryOutcome {
  outcome: 'accepted' | 'replayed' | 'ignored';
  detail: string | null;
}

/** 401: the same for a hook that does not exist and for a signature that does not fit. */
export class DeliveryRefused extends Problem {
  constructor() {
    super(
      'unauthenticated',
      'There is no such hook, or its secret did not sign this delivery. Set the address and the secret that the project shows.',
      { headers: { 'WWW-Authenticate': 'Signature realm="awp"' } },
    );
  }
}

/** How long the id of a delivery is known (contract §5.13). */
const KNOWN_DAYS = 7;

/** The deliveries that were processed: one with the same id again is ignored (contract §5.13). */
@Injectable()
export class KnownDeliveriesRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: a conflict decides. @returns false for a delivery that is known */
  async remember(hookId: string, deliveryId: string): Promise<boolean> {
    const made = await this.source.query<unknown[]>(
      'INSERT INTO code_deliveries (hook_id, delivery_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hook_id',
      [hookId, deliveryId],
    );
    return made.length === 1;
  }

  /** SQL: a bounded part of the table. @returns how many rows */
  async forgetOld(): Promise<number> {
    const [, forgotten] = await this.source.query<[unknown, number]>(
      `DELETE FROM code_deliveries WHERE (hook_id, delivery_id) IN (
         SELECT hook_id, delivery_id FROM code_deliveries
         WHERE received_at < now() - interval '${KNOWN_DAYS} days' LIMIT 5000)`,
    );
    return forgotten;
  }
}

/** Applies deliveries with a good signature, each id once and those of a hook in their order. */
@Injectable()
export class DeliveryOrderService {
  private readonly turns = new KeyedQueue();

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly known: KnownDeliveriesRepository,
    private readonly application: DeliveryApplicationService,
    private readonly transactions: TransactionsService,
    code: CodeRepository,
    chores: ChoresWorker,
  ) {
    const sweep = async () => (await known.forgetOld()) + (await code.sweep());
    chores.add({ name: 'old code deliveries', everySeconds: 3_600, run: sweep });
  }

  /**
   * Deliveries of one hook are applied one after the other: a check and the pull request of its commit may come at once, and
   * each would miss the other. Those of this process wait in memory for their turn: each that waited for the row of the hook
   * would hold a connection, and the burst of one hook would leave none for the rest of the service.
   */
  apply(hook: CodeHook, deliveryId: string, news: CodeNews | null): Promise<DeliveryOutcome> {
    return this.turns.run(hook.id, () => this.applyAlone(hook, deliveryId, news));
  }

  private applyAlone(hook: CodeHook, deliveryId: string, news: CodeNews | null): Promise<DeliveryOutcome> {
    return this.transactions.run(async () => {
      const projectKey = await this.lockHook(hook.id);
      if (projectKey === null) throw new DeliveryRefused();
      if (!(await this.known.remember(hook.id, deliveryId)))
        return { outcome: 'replayed', detail: 'A delivery with this id was processed already.' };
      if (!news) return { outcome: 'ignored', detail: 'This event reports nothing about code or checks.' };
      const repository = repositoryAddressOf(news.repository);
      if (repository === null || !hook.repositories.includes(repository))
        return { outcome: 'ignored', detail: 'The repository is not one of those of the hook.' };
      await this.application.write({ projectId: hook.projectId, projectKey, repository }, news);
      return { outcome: 'accepted', detail: null };
    });
  }

  /** SQL: a join. Holds the hook until the transaction ends. @returns the key of its project; null once it is deleted */
  private async lockHook(id: string): Promise<string | null> {
    const [rows] = await this.source.query<[{ key: string }[], number]>(
      `UPDATE code_hooks h SET last_delivery_at = now() FROM projects p WHERE h.id = $1 AND p.id = h.project_id RETURNING p.key`,
      [id],
    );
    return rows[0]?.key ?? null;
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
    private readonly deliveries: DeliveryOrderService,
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
    return this.deliveries.apply(hook, named.deliveryId, newsOf(hook.provider, named.event, parsed(body)));
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
