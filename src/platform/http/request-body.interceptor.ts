import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import type { BodyBytes } from './byte-limits.js';
import { HttpsRule } from './https-rule-and-proxies.js';
import { ValidationFailed } from './problem.js';
import { type BodyLimits, readJsonBody } from './request-body.js';
import { CARRIES_SECRET, KEEPS_DIGITS, READS_OWN_BODY } from './route.decorators.js';

/** What a handler takes from the request, according to its parameter decorators. */
export interface RouteArguments {
  body: boolean;
  query: boolean;
}

const known = new WeakMap<object, RouteArguments>();

export function routeArgumentsOf(context: ExecutionContext): RouteArguments {
  const handler = context.getHandler();
  let found = known.get(handler);
  if (!found) {
    const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ??
      {}) as object;
    const kinds = Object.keys(metadata).map((key) => Number(key.split(':', 1)[0]));
    found = { body: kinds.includes(RouteParamtypes.BODY), query: kinds.includes(RouteParamtypes.QUERY) };
    known.set(handler, found);
  }
  return found;
}

/**
 * Reads the JSON body after the guard has authenticated the caller and before the pipes validate it. Rejects a body or
 * a query that the handler does not take: a typo in a parameter is never ignored silently (contract §1).
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly https: HttpsRule,
    /** In bytes. */
    private readonly bodyLimit: number,
    private readonly bodies: BodyBytes,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const takes = routeArgumentsOf(context);
    if (!this.reflector.get<boolean>(READS_OWN_BODY, context.getHandler()))
      await this.take(context, request, takes);
    if (!takes.query) refuseNames(Object.keys(request.query), 'is not a parameter of this address');
    return next.handle();
  }

  private async take(context: ExecutionContext, request: Request, takes: RouteArguments): Promise<void> {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const hold: BodyLimits['hold'] = (from, bytes) => this.bodies.hold(from, bytes);
    const keepsDigits = this.reflector.get<boolean | undefined>(KEEPS_DIGITS, context.getHandler()) === true;
    const body = await readJsonBody(request, { limit: this.bodyLimit, hold, keepsDigits });
    const secretField = this.reflector.get<string | true | undefined>(CARRIES_SECRET, context.getHandler());
    if (typeof secretField === 'string' && Object.hasOwn(body as object, secretField))
      this.https.enforce(request);
    if (!takes.body) refuseNames(Object.keys(body as object), 'is not known here: this action takes no body');
    request.body = body;
  }
}

function refuseNames(names: string[], message: string): void {
  if (names.length > 0) throw new ValidationFailed(names.map((path) => ({ path, message })));
}
