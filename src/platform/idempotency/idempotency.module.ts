import { Global, Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyChoreWorker, IdempotencyKeyRepository } from './idempotency-keys-and-rules.repository.js';
import {
  IdempotencyInterceptor,
  SealedResponsesService,
} from './idempotency-and-sealed-responses.interceptor.js';
import { PlainCreationResponsesService } from './creation-and-response-in-one-transaction.service.js';

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
