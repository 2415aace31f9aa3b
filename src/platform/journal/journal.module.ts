import { Global, Module } from '@nestjs/common';
import { JournalNotices } from './journal-notices.js';
import { Journal } from './journal.js';

@Global()
@Module({ providers: [Journal, JournalNotices], exports: [Journal, JournalNotices] })
export class JournalModule {}
