import { Global, Module } from '@nestjs/common';
import { ChoresRepository, ChoresWorker } from './chores.worker.js';

@Global()
@Module({ providers: [ChoresRepository, ChoresWorker], exports: [ChoresWorker] })
export class ChoresModule {}
