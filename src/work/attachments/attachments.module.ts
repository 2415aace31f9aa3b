import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attachment, AttachmentLeftover } from './attachment.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { AttachmentDownloadService } from './attachment-download.service.js';
import { LeftoversRepository } from './attachment-leftover.repository.js';
import { AttachmentReadingService } from './attachment-reading.service.js';
import { ATTACHMENT_STORE } from './attachment-store.js';
import { AttachmentUploadService, OpenUploadsService } from './attachment-upload.service.js';
import { AttachmentsRepository } from './attachment.repository.js';
import { AttachmentsController } from './attachments.controller.js';
import { AttachmentsService, ReplacedAttachmentService } from './attachments.service.js';
import { chooseStore } from './choose-store.js';
import { LeftoverSweepWorker, RunningUploadsService } from './leftover-sweep.worker.js';
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
    AttachmentDownloadService,
    AttachmentReadingService,
    AttachmentUploadService,
    AttachmentsRepository,
    AttachmentsService,
    LeftoverSweepWorker,
    LeftoversRepository,
    OpenUploadsService,
    ReplacedAttachmentService,
    RunningUploadsService,
    StorePresenceWorker,
    { provide: ATTACHMENT_STORE, useFactory: chooseStore, inject: [Settings] },
  ],
  exports: [TypeOrmModule, AttachmentReadingService, AttachmentUploadService, AttachmentsService],
})
export class AttachmentsModule {}
