import { Global, Module } from '@nestjs/common';
import { ChoresRepository } from './chores.repository.js';
import { ChoresWorker } from './chores.worker.js';

@Global()
@Module({ providers: [ChoresRepository, ChoresWorker], exports: [ChoresWorker] })
export class ChoresModule {}
