import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/**
 * How a route that changes something treats `Idempotency-Key` (contract §1.7):
 *
 * - `together`: the response is stored in the transaction of the work. This is the way of a route that says nothing.
 * - `itself`: the handler does that, by `IdempotencyService.create`.
 * - `afterwards`: the response is stored when the work is done. For work that must not hold a transaction open:
 *   downloads of packages, processes.
 * - `refused`: the key is refused with 400, because the repetition means something else, or means nothing.
 */
export type IdempotencyWay = 'together' | 'itself' | 'afterwards' | 'refused';

export const IDEMPOTENCY_WAY = 'awp:idempotency-way';

/** The OpenAPI extension from which the builder of the document reads the way of a route. */
export const IDEMPOTENCY_EXTENSION = 'x-awp-idempotency-way';

const declare = (way: IdempotencyWay) =>
  applyDecorators(SetMetadata(IDEMPOTENCY_WAY, way), ApiExtension(IDEMPOTENCY_EXTENSION, way));

/** The handler responds through `IdempotencyService`. */
export const Idempotent = () => declare('itself');

/** The response is stored once the work is done. */
export const IdempotentAfterwards = () => declare('afterwards');

/** The route refuses `Idempotency-Key`. */
export const RefusesIdempotencyKey = () => declare('refused');
