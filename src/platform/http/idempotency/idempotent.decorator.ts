import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

/** Documents that the route honours `Idempotency-Key`. Its handler responds through `IdempotencyService`. */
export const Idempotent = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'The same key, caller, path and body within 24 hours return the first response again.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
