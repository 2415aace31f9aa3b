import { Global, Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyChoreWorker, IdempotencyKeyRepository } from './idempotency-key.repository.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { PlainCreationResponsesService } from './plain-creation-responses.service.js';
import { SealedResponsesService } from './sealed-responses.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [
    PlainCreationResponsesService,
    IdempotencyInterceptor,
    SealedResponsesService,
    IdempotencyChoreWorker,
    IdempotencyKeyRepository,
    { provide: getRepositoryToken(IdempotencyKey), useExisting: IdempotencyKeyRepository },
  ],
  exports: [TypeOrmModule, PlainCreationResponsesService, IdempotencyInterceptor, SealedResponsesService],
})
export class IdempotencyModule {}
