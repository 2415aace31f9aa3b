import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ProblemCode } from './problem.js';

/**
 * How a route that changes something treats `Idempotency-Key` (contract §1.7):
 *
 * - `together`: the response is stored in the transaction of the work. This is the way of a route that says nothing.
 * - `itself`: the handler does that, by `PlainCreationResponsesService.create`.
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

/** The handler responds through `PlainCreationResponsesService`. */
export const Idempotent = () => declare('itself');

/** The response is stored once the work is done. */
export const IdempotentAfterwards = () => declare('afterwards');

/** The route refuses `Idempotency-Key`. */
export const RefusesIdempotencyKey = () => declare('refused');

/** The extension in which the document's builder finds the codes of `Refuses`. */
export const REFUSES_EXTENSION = 'x-awp-refuses';

/** Declares the error codes of a route beyond those of every route of its form; the API tests check responses against them. */
export const Refuses = (...codes: ProblemCode[]) => ApiExtension(REFUSES_EXTENSION, codes);

/** The metadata key of handlers whose body keeps the digits of its numbers. */
export const KEEPS_DIGITS = 'awp:keeps-digits';

/**
 * Gives the handler strings with marks in place of numbers that JavaScript would change, since the validation copies
 * objects. The handler passes its data on through `withNumbers`.
 */
export const KeepsDigits = () => SetMetadata(KEEPS_DIGITS, true);

/** The metadata key of handlers that read the body themselves, as a stream. */
export const READS_OWN_BODY = 'awp:reads-own-body';

/** Exempts a route from the rules on JSON bodies: for uploads and JSON-RPC. */
export const ReadsOwnBody = () => SetMetadata(READS_OWN_BODY, true);

/** The metadata key: true when body or response always carries a secret, or the name of the body field that does. */
export const CARRIES_SECRET = 'awp:carries-secret';

/** The extension in which the document's builder finds that a route rejects plain HTTP. */
export const CARRIES_SECRET_EXTENSION = 'x-awp-carries-secret';

/** Declares that body or response carries a secret: over plain HTTP the request is rejected before any other check (contract §2). */
export const CarriesSecret = () => declareSecret(true);

/** Declares that the body carries a secret when it has this field: over plain HTTP it is rejected as soon as it is read. */
export const MayCarrySecret = (field: string) => declareSecret(field);

const declareSecret = (when: true | string) =>
  applyDecorators(SetMetadata(CARRIES_SECRET, when), ApiExtension(CARRIES_SECRET_EXTENSION, true));
