import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';
import { IdempotencyChore } from './idempotency-chore.js';
import { IdempotencyRepository } from './idempotency.repository.js';

@Global()
@Module({ providers: [Idempotency, IdempotencyChore, IdempotencyRepository], exports: [Idempotency] })
export class IdempotencyModule {}
