import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { AttachmentDownloadService } from './attachment-download.service.js';
import {
  AttachmentLeftoverRepository,
  LeftoverSweepWorker,
  RunningUploadsService,
} from './leftovers-and-running-uploads.worker.js';
import { AttachmentReadingService } from './attachment-reading.service.js';
import { ATTACHMENT_STORE, measured } from './attachment-store.js';
import { chooseStore } from './disk-store.js';
import { AttachmentUploadService, OpenUploadsService } from './attachment-upload.service.js';
import { Attachment, AttachmentLeftover } from './attachment.entity.js';
import { AttachmentRepository, AttachmentsService } from './attachments.service.js';
import { AttachmentsController } from './attachments.controller.js';
import { StorePresenceWorker } from './store-presence.worker.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Attachment, AttachmentLeftover]),
    IssueStatusModule,
    IssuesModule,
    QuotasModule,
  ],
  controllers: [AttachmentsController],
  providers: [
    AttachmentRepository,
    { provide: getRepositoryToken(Attachment), useExisting: AttachmentRepository },
    AttachmentLeftoverRepository,
    { provide: getRepositoryToken(AttachmentLeftover), useExisting: AttachmentLeftoverRepository },
    AttachmentDownloadService,
    AttachmentReadingService,
    AttachmentUploadService,
    AttachmentsService,
    LeftoverSweepWorker,
    OpenUploadsService,
    RunningUploadsService,
    StorePresenceWorker,
    {
      provide: ATTACHMENT_STORE,
      useFactory: async (settings: Settings, metrics: MetricsService) =>
        measured(await chooseStore(settings), metrics),
      inject: [Settings, MetricsService],
    },
  ],
  exports: [
    ATTACHMENT_STORE,
    getRepositoryToken(Attachment),
    getRepositoryToken(AttachmentLeftover),
    AttachmentReadingService,
    AttachmentUploadService,
    AttachmentsService,
    RunningUploadsService,
  ],
})
export class AttachmentsModule {}
