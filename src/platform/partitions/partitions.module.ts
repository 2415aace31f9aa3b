import { Global, Module } from '@nestjs/common';
import { MonthRetentionService } from './month-retention.service.js';
import { MonthTurnService, MonthTurnWorker } from './month-turn.worker.js';

/** The partitions of the tables that only grow. */
@Global()
@Module({
  providers: [MonthRetentionService, MonthTurnService, MonthTurnWorker],
  exports: [MonthRetentionService],
})
export class PartitionsModule {}
