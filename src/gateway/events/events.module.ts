import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { JournalHeadRepository } from './journal-head/journal-head.repository.js';
import { JournalTail } from './journal-head/journal-tail.js';
import { EventCursor } from './stream/event-cursor.js';
import { EventFlow } from './stream/event-flow.js';
import { EventStreams } from './stream/event-streams.js';
import { EventsController } from './stream/events.controller.js';
import { ReaderBatchesRepository } from './stream/reader-batches.repository.js';
import { DeliveriesRepository } from './webhooks/delivery/deliveries.repository.js';
import { DeliveriesService } from './webhooks/delivery/deliveries.service.js';
import { DeliveryJobs } from './webhooks/delivery/delivery-jobs.repository.js';
import { WebhookFeed } from './webhooks/delivery/webhook-feed.js';
import { WebhookSender } from './webhooks/delivery/webhook-sender.js';
import { WebhookWorker } from './webhooks/delivery/webhook-worker.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksRepository } from './webhooks/webhooks.repository.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

/** What happens, followed live, and sent elsewhere. */
@Module({
  imports: [ProjectsModule],
  controllers: [EventsController, WebhooksController],
  providers: [
    ...[JournalHeadRepository, JournalTail],
    ...[EventCursor, EventFlow, EventStreams, ReaderBatchesRepository],
    ...[WebhooksRepository, WebhooksService, WebhookSecrets],
    ...[DeliveriesRepository, DeliveriesService, DeliveryJobs, WebhookFeed, WebhookSender, WebhookWorker],
  ],
})
export class EventsModule {}
