import { Global, Module } from '@nestjs/common';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyChoreWorker } from './idempotency-chore.worker.js';
import { IdempotencyRepository } from './idempotency.repository.js';

@Global()
@Module({
  providers: [IdempotencyService, IdempotencyChoreWorker, IdempotencyRepository],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
