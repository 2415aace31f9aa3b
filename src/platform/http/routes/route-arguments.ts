import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

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
