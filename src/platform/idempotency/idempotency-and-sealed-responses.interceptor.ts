import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { ROUTE_POLICY, type RoutePolicy } from '../authentication/route-policies-and-agent-itself.js';
import type { Principal, Role } from '../authentication/principals-and-roles.js';
import { TransactionsService } from '../database/transactions.service.js';
import { Encryption } from '../encryption/encryption.service.js';
import { problemBody } from '../http/problem.filter.js';
import { jsonText, parseJson } from '../json/exact-json.js';
import { ValidationFailed } from '../http/problem.js';
import { IDEMPOTENCY_WAY, type IdempotencyWay } from '../http/route.decorators.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import {
  answeredBy,
  IdempotencyKeyRepository,
  identityOf,
  isStoredRefusal,
  KeyInUse,
  type RequestIdentity,
} from './idempotency-keys-and-rules.repository.js';

/** Knows the projects that paths lead to. The layer that has projects registers it. */
export interface ReplayRights {
  /** Returns the project that the parameters of a path lead to, or null. */
  projectOf(parameters: Readonly<Record<string, unknown>>): Promise<string | null>;
  /** @throws {NotFound | RoleTooLow} unless the caller may still do in the project what it did */
  require(caller: Principal, projectId: string, threshold: Role): Promise<void>;
}

/** A handler, and how it may be repeated. */
export interface Repeatable {
  policy: RoutePolicy;
  work: () => Promise<unknown>;
  /** Whether the response is stored after the work, and not in its transaction. */
  isAfterwards: boolean;
}

const HEADERS = ['location', 'etag'];

/** A claim is renewed while its request runs. Without that it ends after 60 seconds. */
const RENEWAL_MS = 20_000;

/**
 * Executes a request once per `Idempotency-Key`, and returns its response to every repetition (contract §1.7). Responses
 * are sealed, because some hold a secret that is shown once.
 */
@Injectable()
export class SealedResponsesService {
  private rights: ReplayRights | null = null;

  constructor(
    @InjectRepository(IdempotencyKey) private readonly responses: IdempotencyKeyRepository,
    private readonly transactions: TransactionsService,
    private readonly encryption: Encryption,
  ) {}

  /** Registers who knows projects. */
  use(rights: ReplayRights): void {
    this.rights = rights;
  }

  async respond(
    request: Request & { user: Principal },
    response: Response,
    repeatable: Repeatable,
  ): Promise<unknown> {
    const identity = identityOf(request, request.user);
    const { policy } = repeatable;
    const projectId = policy.inProject ? await this.rights!.projectOf(request.params) : null;
    const claim = uuidv7();
    if (!(await this.responses.claim(identity, claim, projectId)))
      return this.replay(request.user, response, identity, policy);
    try {
      return await this.run(identity, claim, response, repeatable);
    } catch (error) {
      await this.afterError(identity, claim, request, error);
      throw error;
    }
  }

  private async run(
    identity: RequestIdentity,
    claim: string,
    response: Response,
    { work, isAfterwards }: Repeatable,
  ): Promise<unknown> {
    const workAndStore = async (): Promise<unknown> => {
      const body = await work();
      if (!(await this.store(identity, claim, response, body))) throw new KeyInUse();
      return body;
    };
    if (!isAfterwards) return this.transactions.run(workAndStore);
    // The database may be down for a moment. A claim that was lost meanwhile is noticed when the response is stored.
    const renew = () => this.responses.renew(identity, claim).catch(() => undefined);
    const renewal = setInterval(() => void renew(), RENEWAL_MS);
    try {
      return await workAndStore();
    } finally {
      clearInterval(renewal);
    }
  }

  private store(
    identity: RequestIdentity,
    claim: string,
    response: Response,
    body: unknown,
  ): Promise<boolean> {
    const sent = HEADERS.flatMap((name) => {
      const value = response.getHeader(name);
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return this.responses.store(identity, claim, {
      status: response.statusCode,
      headers: Object.fromEntries(sent),
      body: this.encryption.seal(jsonText(body ?? null), contextOf(identity)),
    });
  }

  /** The caller's permission is checked before a stored response is returned, because it may have been revoked. */
  private async replay(
    caller: Principal,
    response: Response,
    identity: RequestIdentity,
    { role }: RoutePolicy,
  ): Promise<unknown> {
    const earlier = await this.responses.earlier(identity);
    if (earlier?.projectId)
      await this.rights!.require(
        caller,
        earlier.projectId,
        role === null || role === 'agents only' ? 'Viewer' : role,
      );
    const { status, headers, body: sealed } = answeredBy(earlier, identity);
    response.set({ ...headers, 'Idempotency-Replayed': 'true' }).status(status);
    const body = parseJson(this.encryption.open(sealed, contextOf(identity)));
    return body === null ? undefined : body;
  }

  private async afterError(
    identity: RequestIdentity,
    claim: string,
    request: Request,
    error: unknown,
  ): Promise<void> {
    if (!isStoredRefusal(error)) return this.responses.releaseAfter(identity, claim, error);
    const body = this.encryption.seal(problemBody(request, error), contextOf(identity));
    const headers = { ...error.headers, 'Content-Type': 'application/problem+json' };
    await this.responses.store(identity, claim, { status: error.status, headers, body });
  }
}

function contextOf({ callerId, key, path }: RequestIdentity): string {
  return `idempotent_response|${callerId}|${path}|${key}`;
}

/** Methods that change nothing: there the header has no effect. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Honours `Idempotency-Key` on every route that changes something, or refuses it (contract §1.7). */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly requests: SealedResponsesService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user: Principal }>();
    if (request.headers['idempotency-key'] === undefined || READING.has(request.method)) return next.handle();
    const handler = context.getHandler();
    const way = this.reflector.get<IdempotencyWay | undefined>(IDEMPOTENCY_WAY, handler) ?? 'together';
    if (way === 'itself') return next.handle();
    if (way === 'refused') throw new ValidationFailed([{ path: 'Idempotency-Key', message: REFUSED }]);
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    const policy = this.reflector.get<RoutePolicy>(ROUTE_POLICY, handler);
    return of(
      await this.requests.respond(request, http.getResponse<Response>(), {
        policy,
        work,
        isAfterwards: way === 'afterwards',
      }),
    );
  }
}

const REFUSED = 'means nothing here: leave it out, and look at the state before you send the request again';
