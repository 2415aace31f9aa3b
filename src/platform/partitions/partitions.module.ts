import { Global, Module } from '@nestjs/common';
import { MonthTurnService } from './month-turn.service.js';
import { MonthTurnWorker } from './month-turn.worker.js';

/** The partitions of the tables that only grow. */
@Global()
@Module({ providers: [MonthTurnService, MonthTurnWorker], exports: [MonthTurnService] })
export class PartitionsModule {}
