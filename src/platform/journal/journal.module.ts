import { Global, Module } from '@nestjs/common';
import { EventCountersService } from './event-counters.service.js';
import { JournalConnectionClient } from './follower/journal-connection.client.js';
import { JournalFollowerWorker } from './follower/journal-follower.worker.js';
import { JournalHeadRepository } from './follower/journal-head.repository.js';
import { JournalMonthsService } from './journal-months.service.js';
import { JournalRepository } from './journal.repository.js';
import { JournalService } from './journal.service.js';

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
