import { Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { IssuesModule } from '../issues/issues.module.js';
import { AttachmentsController } from './attachments.controller.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { AttachmentsService } from './attachments.service.js';
import { AttachmentDownload } from './download/attachment-download.js';
import { LeftoverSweep } from './leftovers/leftover-sweep.js';
import { LeftoversRepository } from './leftovers/leftovers.repository.js';
import { RunningUploads } from './leftovers/running-uploads.js';
import { ATTACHMENT_STORE } from './store/attachment-store.js';
import { chooseStore } from './store/choose-store.js';
import { AttachmentUpload } from './upload/attachment-upload.js';

@Module({
  imports: [IssuesModule],
  controllers: [AttachmentsController],
  providers: [
    AttachmentDownload,
    AttachmentUpload,
    AttachmentsRepository,
    AttachmentsService,
    LeftoverSweep,
    LeftoversRepository,
    RunningUploads,
    { provide: ATTACHMENT_STORE, useFactory: chooseStore, inject: [Settings] },
  ],
})
export class AttachmentsModule {}
