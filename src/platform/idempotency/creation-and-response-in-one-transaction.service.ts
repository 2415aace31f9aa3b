import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../authentication/principals-and-roles.js';
import { TransactionsService } from '../database/transactions.service.js';
import { problemBody } from '../http/problem.filter.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import {
  answeredBy,
  IdempotencyKeyRepository,
  identityOf,
  isStoredRefusal,
  KeyInUse,
  keyOf,
  type RequestIdentity,
} from './idempotency-keys-and-rules.repository.js';

/** The response to a creation: 201 with `Location`, and with `ETag` where the object has one. */
export interface Created<Body> {
  location: string;
  etag?: string;
  body: Body;
}

/**
 * Makes a POST safe to send again (contract §1.7). The response is stored in the transaction that does the work, so that
 * a crash leaves both or neither. A claim that a crash leaves behind expires after 60 seconds.
 */
@Injectable()
export class PlainCreationResponsesService {
  constructor(
    @InjectRepository(IdempotencyKey) private readonly responses: IdempotencyKeyRepository,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Executes a creation once per `Idempotency-Key` and responds to it. Call it after the caller's permission is checked,
   * because a response must not be returned again after a revocation.
   * @param content what the request is compared by, where its handler read the body itself
   */
  async create<Body>(
    request: Request,
    response: Response,
    caller: Principal,
    work: () => Promise<Created<Body>>,
    content?: object,
  ): Promise<Body> {
    if (request.headers['idempotency-key'] === undefined) return respond(response, await work());
    const identity = identityOf(request, caller, content);
    const claim = uuidv7();
    if (!(await this.responses.claim(identity, claim)))
      return this.replay<Body>(response, identity, await this.responses.earlier(identity));
    try {
      return respond(response, await this.once(identity, claim, work));
    } catch (error) {
      await this.storeRefusal(identity, claim, request, error);
      throw error;
    }
  }

  /**
   * Returns whether a request with this key was answered, whatever its body was: for checks that come before the body is
   * read, and that the repetition of an answered request passes.
   */
  async isAnswered(request: Request, caller: Principal): Promise<boolean> {
    if (request.headers['idempotency-key'] === undefined) return false;
    return this.responses.isAnswered(keyOf(request, caller));
  }

  private once<Body>(
    identity: RequestIdentity,
    claim: string,
    work: () => Promise<Created<Body>>,
  ): Promise<Created<Body>> {
    return this.transactions.run(async () => {
      const created = await work();
      const headers = { Location: created.location, ...(created.etag && { ETag: created.etag }) };
      const stored = await this.responses.store(identity, claim, {
        status: 201,
        headers,
        body: JSON.stringify(created.body),
      });
      if (!stored) throw new KeyInUse();
      return created;
    });
  }

  /** Stores a refusal that depends on the state. After any other error the repetition is decided again. */
  private async storeRefusal(
    identity: RequestIdentity,
    claim: string,
    request: Request,
    error: unknown,
  ): Promise<void> {
    if (isStoredRefusal(error)) {
      const headers = { ...error.headers, 'Content-Type': 'application/problem+json' };
      await this.responses.store(identity, claim, {
        status: error.status,
        headers,
        body: problemBody(request, error),
      });
    } else await this.responses.releaseAfter(identity, claim, error);
  }

  private replay<Body>(response: Response, identity: RequestIdentity, earlier: IdempotencyKey | null): Body {
    const { status, headers, body } = answeredBy(earlier, identity);
    response.set({ ...headers, 'Idempotency-Replayed': 'true' }).status(status);
    return JSON.parse(body) as Body;
  }
}

function respond<Body>(response: Response, created: Created<Body>): Body {
  response.location(created.location).status(201);
  if (created.etag) response.setHeader('ETag', created.etag);
  return created.body;
}
