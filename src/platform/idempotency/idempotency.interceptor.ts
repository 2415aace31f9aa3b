import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { ROUTE_POLICY, type RoutePolicy } from '../authentication/policy.js';
import type { Principal } from '../authentication/principals-and-roles.js';
import { ValidationFailed } from '../http/problem.js';
import { IDEMPOTENCY_WAY, type IdempotencyWay } from '../http/route.decorators.js';
import { SealedResponsesService } from './sealed-responses.service.js';

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
