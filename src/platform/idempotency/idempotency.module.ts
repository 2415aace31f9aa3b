import { Global, Module } from '@nestjs/common';
import { IdempotencyRepository } from './idempotency-key.repository.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyChoreWorker, IdempotencyService } from './idempotency.service.js';
import { RepeatedRequestsService } from './repeated-requests.service.js';

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
