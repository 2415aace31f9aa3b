import { Global, Module } from '@nestjs/common';
import { JournalConnectionClient } from './journal-connection.client.js';
import { JournalFollowerWorker } from './journal-follower.worker.js';
import { JournalMonthsService } from './journal-months.service.js';
import { JournalHeadRepository, JournalRepository } from './journal.repository.js';
import { EventCountersService, JournalService } from './journal.service.js';

@Global()
@Module({
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
    JournalService,
    JournalMonthsService,
    JournalConnectionClient,
    JournalFollowerWorker,
    EventCountersService,
  ],
})
export class JournalModule {}
