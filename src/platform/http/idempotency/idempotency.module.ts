import { Global, Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { RepeatedRequestsService } from './repeated-requests.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyChoreWorker } from './idempotency-chore.worker.js';
import { IdempotencyRepository } from './idempotency.repository.js';

@Global()
@Module({
  providers: [
    IdempotencyService,
    IdempotencyInterceptor,
    RepeatedRequestsService,
    IdempotencyChoreWorker,
    IdempotencyRepository,
  ],
  exports: [IdempotencyService, IdempotencyInterceptor, RepeatedRequestsService],
})
export class IdempotencyModule {}
