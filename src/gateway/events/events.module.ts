import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { EventMonthsWorker } from './retention/event-months.worker.js';
import { JournalRetentionRepository } from './retention/journal-retention.repository.js';
import { JournalRetentionWorker } from './retention/journal-retention.worker.js';
import { EventCursorService } from './stream/event-cursor.service.js';
import { EventBroadcastWorker } from './stream/event-broadcast.worker.js';
import { EventStreamsService } from './stream/event-streams.service.js';
import { EventsController } from './stream/events.controller.js';
import { ReaderBatchesRepository } from './stream/reader-batches.repository.js';
import { DeliveriesRepository } from './webhooks/delivery/deliveries.repository.js';
import { DeliveriesService } from './webhooks/delivery/deliveries.service.js';
import { DeliveryJobsRepository } from './webhooks/delivery/delivery-jobs.repository.js';
import { WebhookFeedRepository } from './webhooks/delivery/webhook-feed.repository.js';
import { WebhookFeedService } from './webhooks/delivery/webhook-feed.service.js';
import { WebhookClient } from './webhooks/delivery/webhook.client.js';
import { WebhookWorker } from './webhooks/delivery/webhook.worker.js';
import { WebhookSecretsRepository } from './webhooks/webhook-secrets.repository.js';
import { WebhookSecretsService } from './webhooks/webhook-secrets.service.js';
import { WebhookTargetsService } from './webhooks/webhook-targets.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksRepository } from './webhooks/webhooks.repository.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

/** The live event stream and webhooks. */
@Module({
  imports: [ProjectsModule],
  controllers: [EventsController, WebhooksController],
  providers: [
    EventBroadcastWorker,
    EventCursorService,
    EventMonthsWorker,
    EventStreamsService,
    JournalRetentionRepository,
    JournalRetentionWorker,
    ReaderBatchesRepository,
    DeliveriesRepository,
    DeliveriesService,
    DeliveryJobsRepository,
    WebhookClient,
    WebhookFeedRepository,
    WebhookFeedService,
    WebhookSecretsRepository,
    WebhookSecretsService,
    WebhookTargetsService,
    WebhookWorker,
    WebhooksRepository,
    WebhooksService,
  ],
})
export class EventsModule {}
