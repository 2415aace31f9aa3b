import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Not, Raw, Repository } from 'typeorm';
import type { Principal } from '../authentication/principals-and-roles.js';
import { Problem, ValidationFailed } from '../http/problem.js';
import { canonicalJson } from '../json/exact-json.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { outcomeUnknown, WritesUnconfirmed } from '../database/postgres-errors.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

/** What a stored response is found by. */
export type StoredKey = Pick<IdempotencyKey, 'callerId' | 'key' | 'path'>;

/** Identifies a request that may be sent again. */
export type RequestIdentity = StoredKey & Pick<IdempotencyKey, 'requestHash'>;

/**
 * Returns what makes two requests the same one. A request without a body is compared by the length that it announces: 0 or
 * none.
 * @param content in place of the body, where the handler read the body itself
 * @throws {ValidationFailed} for a key that is not 1 to 255 visible ASCII characters
 */
export function identityOf(request: Request, caller: Principal, content?: object): RequestIdentity {
  const [, query = ''] = request.originalUrl.split('?', 2);
  const body: unknown = content ?? request.body ?? { size: request.headers['content-length'] ?? null };
  const hash = createHash('sha256').update(canonicalJson(query === '' ? body : { body, query }));
  return { ...keyOf(request, caller), requestHash: hash.digest() };
}

/**
 * Returns what a stored response is found by.
 * @throws {ValidationFailed} for a key that is not 1 to 255 visible ASCII characters
 */
export function keyOf(request: Request, caller: Principal): StoredKey {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ValidationFailed([
      { path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  const [path = ''] = request.originalUrl.split('?', 1);
  return { callerId: caller.id, key, path };
}

export class KeyInUse extends Problem {
  constructor() {
    super(
      'idempotency_key_in_use',
      'A request with this Idempotency-Key is still running. Try again in a moment.',
      { headers: { 'Retry-After': '1' } },
    );
  }
}

class KeyReused extends Problem {
  constructor() {
    super(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Send a new key with a new request.',
    );
  }
}

/** Refusals that depend on the state, so that the repetition gets the same one. Others are decided again. */
const STORED_REFUSALS = new Set([404, 409, 412]);

/** Returns whether a repetition gets this error again. */
export function isStoredRefusal(error: unknown): error is Problem {
  return error instanceof Problem && !(error instanceof KeyInUse) && STORED_REFUSALS.has(error.status);
}

/** A response as it was sent. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the response to an earlier request with the same key.
 * @throws {KeyInUse} while it runs @throws {KeyReused} where it had another body
 */
export function answeredBy(earlier: IdempotencyKey | null, { requestHash }: RequestIdentity): StoredResponse {
  if (!earlier) throw new KeyInUse();
  if (!earlier.requestHash.equals(requestHash)) throw new KeyReused();
  const { status, headers, body } = earlier;
  if (status === null) throw new KeyInUse();
  return { status, headers: headers!, body: body! };
}

/** The columns that another claim of the key replaces. */
const OF_CLAIM = ['request_hash', 'claim', 'claimed_at', 'status', 'headers', 'body', 'project_id'];

/** Stores the keys for 24 hours. The claim of a request that died expires after 60 seconds (contract §1.7). */
@Injectable()
export class IdempotencyKeyRepository extends Repository<IdempotencyKey> {
  constructor(@InjectDataSource() source: DataSource) {
    super(IdempotencyKey, source.manager);
  }

  /**
   * Claims the key for a request. Returns false where an earlier claim holds.
   * @throws {WritesUnconfirmed} when the outcome of the claim is not known: nothing of the request has begun
   */
  async claim(identity: RequestIdentity, claim: string, projectId: string | null = null): Promise<boolean> {
    try {
      return await this.insertClaim(identity, claim, projectId);
    } catch (error) {
      if (!outcomeUnknown(error)) throw error;
      await this.releaseAfter(identity, claim, error);
      throw new WritesUnconfirmed();
    }
  }

  private async insertClaim(
    identity: RequestIdentity,
    claim: string,
    projectId: string | null,
  ): Promise<boolean> {
    const { raw } = await this.createQueryBuilder('kept')
      .insert()
      .values({
        ...identity,
        claim,
        projectId,
        claimedAt: () => 'now()',
        status: null,
        headers: null,
        body: null,
      })
      .orUpdate(OF_CLAIM, ['caller_id', 'key', 'path'], {
        overwriteCondition: {
          where: `kept.claimed_at < now() - interval '24 hours' OR (kept.status IS NULL
            AND kept.claimed_at < now() - interval '60 seconds' AND kept.request_hash = excluded.request_hash)`,
        },
      })
      .returning('claim')
      .updateEntity(false)
      .execute();
    return (raw as unknown[]).length === 1;
  }

  /** Returns the claim of an earlier request with the same key. */
  earlier({ callerId, key, path }: StoredKey): Promise<IdempotencyKey | null> {
    return this.findOneBy({ callerId, key, path });
  }

  /** Returns whether a request with this key was answered in its 24 hours. */
  isAnswered({ callerId, key, path }: StoredKey): Promise<boolean> {
    const claimedAt = Raw((column) => `${column} >= now() - interval '24 hours'`);
    return this.existsBy({ callerId, key, path, status: Not(IsNull()), claimedAt });
  }

  /** Stores the response. Returns false where the claim has expired and another request holds the key. */
  async store(
    { callerId, key, path }: StoredKey,
    claim: string,
    { status, headers, body }: StoredResponse,
  ): Promise<boolean> {
    const { affected } = await this.update({ callerId, key, path, claim }, { status, headers, body });
    return affected === 1;
  }

  /** Keeps the claim of a request that runs longer than a claim lasts. */
  async renew({ callerId, key, path }: StoredKey, claim: string): Promise<void> {
    await this.update({ callerId, key, path, claim, status: IsNull() }, { claimedAt: () => 'now()' });
  }

  async release({ callerId, key, path }: StoredKey, claim: string): Promise<void> {
    await this.delete({ callerId, key, path, claim, status: IsNull() });
  }

  /**
   * Releases the claim of a request that failed. Where its outcome is not known, the row is locked until it is, and holds
   * the response then if the work was done, so that the claim is released later and without the caller.
   */
  async releaseAfter(key: StoredKey, claim: string, error: unknown): Promise<void> {
    const unknown = outcomeUnknown(error);
    if (!unknown) return this.release(key, claim);
    // A claim that cannot be released ends by itself.
    void unknown.settled.then(() => this.release(key, claim)).catch(() => undefined);
  }

  /** SQL: a bounded deletion. Removes keys after their 24 hours. */
  async sweep(): Promise<number> {
    const [, removed] = await this.query<[unknown, number]>(
      `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours' LIMIT 5000))`,
    );
    return removed;
  }
}

/** Removes stored responses after 24 hours. */
@Injectable()
export class IdempotencyChoreWorker {
  constructor(chores: ChoresWorker, @InjectRepository(IdempotencyKey) responses: IdempotencyKeyRepository) {
    chores.add({ name: 'expired idempotency keys', everySeconds: 600, run: () => responses.sweep() });
  }
}
