import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

/** The route honours `Idempotency-Key`; its handler answers through `Idempotency`. */
export const Idempotent = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'The same key, caller, path and body within 24 hours give the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
