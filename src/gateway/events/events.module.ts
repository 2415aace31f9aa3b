import { Module } from '@nestjs/common';
import { JournalHeadRepository } from './journal-head/journal-head.repository.js';
import { JournalTail } from './journal-head/journal-tail.js';
import { EventCursor } from './stream/event-cursor.js';
import { EventFlow } from './stream/event-flow.js';
import { EventStreams } from './stream/event-streams.js';
import { EventsController } from './stream/events.controller.js';
import { ReaderBatchesRepository } from './stream/reader-batches.repository.js';

/** What happens, followed live. */
@Module({
  controllers: [EventsController],
  providers: [
    ...[JournalHeadRepository, JournalTail],
    ...[EventCursor, EventFlow, EventStreams, ReaderBatchesRepository],
  ],
})
export class EventsModule {}
