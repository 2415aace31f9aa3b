import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArchivedMonth, JournalPruned } from './partitions.entities.js';
import { MonthRetentionService } from './month-retention.service.js';
import { MonthTurnService, MonthTurnWorker } from './month-turn.worker.js';

/** The partitions of the tables that only grow. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ArchivedMonth, JournalPruned])],
  providers: [MonthRetentionService, MonthTurnService, MonthTurnWorker],
  exports: [TypeOrmModule, MonthRetentionService],
})
export class PartitionsModule {}
