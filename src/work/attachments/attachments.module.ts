import { Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { IssuesModule } from '../issues/issues.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { AttachmentsController } from './attachments.controller.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { AttachmentsService } from './attachments.service.js';
import { AttachmentDownloadService } from './download/attachment-download.service.js';
import { AttachmentReadingService } from './download/attachment-reading.service.js';
import { LeftoverSweepWorker } from './leftovers/leftover-sweep.worker.js';
import { LeftoversRepository } from './leftovers/leftovers.repository.js';
import { RunningUploadsService } from './leftovers/running-uploads.service.js';
import { ATTACHMENT_STORE } from './store/attachment-store.js';
import { chooseStore } from './store/choose-store.js';
import { StorePresenceWorker } from './store/store-presence.worker.js';
import { AttachmentUploadService } from './upload/attachment-upload.service.js';
import { OpenUploadsService } from './upload/open-uploads.service.js';
import { ReplacedAttachmentService } from './upload/replaced-attachment.service.js';

@Module({
  imports: [IssuesModule, QuotasModule],
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
  exports: [AttachmentReadingService, AttachmentUploadService, AttachmentsService],
})
export class AttachmentsModule {}
