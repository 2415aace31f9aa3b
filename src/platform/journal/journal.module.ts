import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalEntry, JournalMonth } from './journal-entry.entity.js';
import { JournalConnectionClient } from './journal-connection.client.js';
import { JournalFollowerWorker } from './journal-follower-and-subscriptions.worker.js';
import {
  JournalHeadRepository,
  JournalMonthsService,
  JournalRepository,
} from './journal-rows-and-months.repository.js';
import { EventCountersService, JournalService } from './journal.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([JournalEntry, JournalMonth])],
  providers: [
    JournalMonthsService,
    JournalRepository,
    JournalService,
    EventCountersService,
    JournalConnectionClient,
    JournalFollowerWorker,
    JournalHeadRepository,
  ],
  exports: [
    TypeOrmModule,
    JournalService,
    JournalMonthsService,
    JournalConnectionClient,
    JournalFollowerWorker,
    EventCountersService,
  ],
})
export class JournalModule {}
