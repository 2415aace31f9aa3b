import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../auth/principal.js';
import { Transactions } from '../../database/transactions.js';
import { canonicalJson } from '../canonical-json.js';
import { problemBody } from '../problem.filter.js';
import { Problem, ValidationFailed } from '../problem.js';
import {
  IdempotencyRepository,
  type EarlierClaim,
  type KeptAnswer,
  type RequestIdentity,
} from './idempotency.repository.js';

/** A creation as it is answered: 201 with `Location`, and `ETag` where the object has one. */
export interface Created<Body> {
  location: string;
  etag?: string;
  body: Body;
}

/**
 * Makes a POST safe to send again (spec §1). The answer is kept in the transaction that does the work, so
 * that a crash leaves either both or neither; a claim left by a crash is free after 60 seconds.
 */
@Injectable()
export class Idempotency {
  constructor(
    private readonly answers: IdempotencyRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Answers a creation, once for each `Idempotency-Key`. Call it after the right of the caller is checked:
   * an answer of before a revoke must not be given again.
   */
  async create<Body>(
    request: Request,
    response: Response,
    caller: Principal,
    work: () => Promise<Created<Body>>,
  ): Promise<Body> {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return tell(response, await work());
    const identity = identityOf(request, caller, key);
    const claim = uuidv7();
    if (!(await this.answers.claim(identity, claim)))
      return this.replay<Body>(response, await this.answers.find(identity));
    try {
      return tell(response, await this.once(identity, claim, work));
    } catch (fault) {
      await this.remember(identity, claim, request, fault);
      throw fault;
    }
  }

  private once<Body>(
    identity: RequestIdentity,
    claim: string,
    work: () => Promise<Created<Body>>,
  ): Promise<Created<Body>> {
    return this.transactions.run(async () => {
      const created = await work();
      const headers = { Location: created.location, ...(created.etag && { ETag: created.etag }) };
      const kept = await this.answers.keep(identity, claim, {
        status: 201,
        headers,
        body: JSON.stringify(created.body),
      });
      if (!kept) throw new KeyInUse();
      return created;
    });
  }

  /** A refusal is an answer too; what went wrong on our side is not kept, so that trying again can succeed. */
  private async remember(
    identity: RequestIdentity,
    claim: string,
    request: Request,
    fault: unknown,
  ): Promise<void> {
    if (fault instanceof Problem && fault.status < 500 && !(fault instanceof KeyInUse)) {
      const headers = { ...fault.headers, 'Content-Type': 'application/problem+json' };
      await this.answers.keep(identity, claim, {
        status: fault.status,
        headers,
        body: problemBody(request, fault),
      });
    } else await this.answers.release(identity, claim);
  }

  private replay<Body>(response: Response, earlier: EarlierClaim | null): Body {
    if (!earlier || (earlier.sameBody && earlier.status === null)) throw new KeyInUse();
    if (!earlier.sameBody) throw new KeyReused();
    const { status, headers, body } = earlier as KeptAnswer;
    response.set({ ...headers, 'Idempotency-Replayed': 'true' }).status(status);
    return JSON.parse(body) as Body;
  }
}

function identityOf(request: Request, caller: Principal, key: string | string[]): RequestIdentity {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ValidationFailed([
      { path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  const hash = createHash('sha256').update(canonicalJson(request.body)).digest();
  return { callerId: caller.id, key, path: request.originalUrl.split('?', 1)[0]!, hash };
}

function tell<Body>(response: Response, created: Created<Body>): Body {
  response.location(created.location).status(201);
  if (created.etag) response.setHeader('ETag', created.etag);
  return created.body;
}

class KeyInUse extends Problem {
  constructor() {
    super(
      'idempotency_key_in_use',
      'A request with this Idempotency-Key is still running; ask again in a moment.',
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }
}

class KeyReused extends Problem {
  constructor() {
    super(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body; send a new key with a new request.',
    );
  }
}
