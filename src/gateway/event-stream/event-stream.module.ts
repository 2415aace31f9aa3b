import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { EventBroadcastWorker } from './event-broadcast.worker.js';
import { EventCursorService } from './event-cursor.service.js';
import { EventStreamsService } from './event-streams.service.js';
import { EventsController } from './events.controller.js';
import {
  EventMonthsWorker,
  TimelineAndDeliveryRetentionRepository,
  TimelineAndDeliveryRetentionWorker,
} from './timeline-journal-and-delivery-retention.worker.js';
import { ReaderBatchesRepository } from './events.repository.js';

/** The live stream of events, and how long the journal keeps them (contract §8.2). */
@Module({
  imports: [ProjectsModule],
  controllers: [EventsController],
  providers: [
    EventBroadcastWorker,
    EventCursorService,
    EventMonthsWorker,
    EventStreamsService,
    TimelineAndDeliveryRetentionRepository,
    TimelineAndDeliveryRetentionWorker,
    ReaderBatchesRepository,
  ],
})
export class EventStreamModule {}
