import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { DeliveriesService, WebhookClient } from './deliveries.service.js';
import { DeliveryJobsRepository, WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { Webhook, WebhookDelivery, WebhookFeed, WebhookSecret } from './webhook.entities.js';
import { WebhookRepository, WebhookSecretsService } from './webhooks-and-secrets.repository.js';
import { WebhookFeedRepository, WebhookFeedService, WebhookWorker } from './webhook-feed.worker.js';
import { WebhooksController } from './webhooks.controller.js';
import {
  EndedWebhooksService,
  WebhooksService,
  WebhookTargetsService,
} from './webhooks-and-targets.service.js';

/** Webhooks: the events that targets get, and their deliveries (contract §8.4). */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookDelivery, WebhookFeed, WebhookSecret]), ProjectsModule],
  controllers: [WebhooksController],
  providers: [
    { provide: getRepositoryToken(Webhook), useClass: WebhookRepository },
    { provide: getRepositoryToken(WebhookDelivery), useClass: WebhookDeliveryRepository },
    { provide: getRepositoryToken(WebhookFeed), useClass: WebhookFeedRepository },
    DeliveriesService,
    DeliveryJobsRepository,
    EndedWebhooksService,
    WebhookClient,
    WebhookFeedService,
    WebhookSecretsService,
    WebhookTargetsService,
    WebhookWorker,
    WebhooksService,
  ],
})
export class WebhooksModule {}
