import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Webhook, WebhookDelivery, WebhookFeed, WebhookSecret } from './webhook.entities.js';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { EventBroadcastWorker } from '../event-stream/event-broadcast.worker.js';
import { EventCursorService } from '../event-stream/event-cursor.service.js';
import { EventStreamsService } from '../event-stream/event-streams.service.js';
import { EventsController } from '../event-stream/events.controller.js';
import {
  EventMonthsWorker,
  JournalRetentionRepository,
  JournalRetentionWorker,
} from '../event-stream/journal-retention.worker.js';
import { ReaderBatchesRepository } from '../event-stream/reader-batches.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryJobsRepository, WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookFeedRepository, WebhookFeedService } from './webhook-feed.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookClient } from './webhook.client.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhookWorker } from './webhook.worker.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService, WebhookTargetsService } from './webhooks.service.js';

/** The live event stream and webhooks. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookDelivery, WebhookFeed, WebhookSecret]), ProjectsModule],
  controllers: [EventsController, WebhooksController],
  providers: [
    { provide: getRepositoryToken(Webhook), useClass: WebhookRepository },
    { provide: getRepositoryToken(WebhookDelivery), useClass: WebhookDeliveryRepository },
    { provide: getRepositoryToken(WebhookFeed), useClass: WebhookFeedRepository },
    EventBroadcastWorker,
    EventCursorService,
    EventMonthsWorker,
    EventStreamsService,
    JournalRetentionRepository,
    JournalRetentionWorker,
    ReaderBatchesRepository,
    DeliveriesService,
    DeliveryJobsRepository,
    WebhookClient,
    WebhookFeedService,
    WebhookSecretsService,
    WebhookTargetsService,
    WebhookWorker,
    WebhooksService,
  ],
})
export class EventsModule {}
