import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from './principal.js';

/** Injects the caller of the request, as the guard authenticated it. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<{ user: Principal }>().user,
);
