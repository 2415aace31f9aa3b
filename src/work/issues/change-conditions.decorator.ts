import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { TakesIfMatch } from '../../platform/http/conditions.js';
import { ValidationFailed } from '../../platform/http/problem.js';

/** Conditions of a change that come as headers. */
export interface ChangeConditions {
  ifMatch?: string | undefined;
  leaseToken?: number | null;
}

/** The headers that a change of an issue may carry: `If-Match` and, for agents, `Lease-Token`. */
export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): ChangeConditions => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return { ifMatch: headers['if-match'], leaseToken: leaseTokenOf(headers['lease-token']) };
});

/** Documents `If-Match`, and `Lease-Token` where the route takes it. */
export const TakesConditions = (withLease = false) =>
  applyDecorators(
    TakesIfMatch(),
    ...(withLease
      ? [
          ApiHeader({
            name: 'Lease-Token',
            required: false,
            description: "The token of the agent's lease on this issue.",
          }),
        ]
      : []),
  );

function leaseTokenOf(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header))
    throw new ValidationFailed([
      { path: 'Lease-Token', message: 'must be the integer that the pick-up returned' },
    ]);
  return Number(header);
}
