import { Global, Module } from '@nestjs/common';
import { JournalNotices } from './journal-notices.js';
import { JournalTally } from './journal-tally.js';
import { Journal } from './journal.js';

@Global()
@Module({
  providers: [Journal, JournalNotices, JournalTally],
  exports: [Journal, JournalNotices, JournalTally],
})
export class JournalModule {}
