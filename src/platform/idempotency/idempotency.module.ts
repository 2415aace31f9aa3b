import { Global, Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeyRepository } from './idempotency-key.repository.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyChoreWorker, IdempotencyService } from './idempotency.service.js';
import { RepeatedRequestsService } from './repeated-requests.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [
    IdempotencyService,
    IdempotencyInterceptor,
    RepeatedRequestsService,
    IdempotencyChoreWorker,
    IdempotencyKeyRepository,
    { provide: getRepositoryToken(IdempotencyKey), useExisting: IdempotencyKeyRepository },
  ],
  exports: [TypeOrmModule, IdempotencyService, IdempotencyInterceptor, RepeatedRequestsService],
})
export class IdempotencyModule {}
