import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../../platform/auth/principal.js';
import { OncePerMinute } from '../../../platform/auth/limits/once-per-minute.js';
import { Settings } from '../../../platform/config/settings.js';
import { IssueAccessService } from '../../issues/issue-access.service.js';
import type { AttachmentRow } from '../attachments.repository.js';
import { StoreFull } from '../attachments.errors.js';
import { AttachmentsService } from '../attachments.service.js';
import { LeftoverSweepWorker } from '../leftovers/leftover-sweep.worker.js';
import { RunningUploadsService } from '../leftovers/running-uploads.service.js';
import { ATTACHMENT_STORE, type AttachmentStore } from '../store/attachment-store.js';
import { requireMultipart } from './multipart-rule.js';
import { readUploadForm } from './upload-form.js';
import { UploadStorage } from './upload-storage.js';

/** Receives a file (contract §5.4): first the bytes, then their row. A failed upload leaves neither. */
@Injectable()
export class AttachmentUploadService {
  private readonly log = new Logger(AttachmentUploadService.name);
  private readonly once = new OncePerMinute();

  constructor(
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    private readonly access: IssueAccessService,
    private readonly attachments: AttachmentsService,
    private readonly uploads: RunningUploadsService,
    private readonly sweep: LeftoverSweepWorker,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks existence and role before it reads the body, not after it as elsewhere (contract §2), so that the bytes of a
   * caller without the right are not received at all. An upload may take long, so both are checked again after it.
   */
  async receive(
    caller: Principal,
    issueReference: string,
    request: Request,
    response: Response,
  ): Promise<AttachmentRow> {
    requireMultipart(request.headers);
    await this.access.get(caller, issueReference, 'Editor');
    const id = uuidv7();
    try {
      const file = await readUploadForm(
        request,
        response,
        new UploadStorage(id, this.store, this.uploads),
        this.settings.attachmentMaxBytes,
      );
      const issue = await this.access.get(caller, issueReference, 'Editor');
      const attachment = await this.attachments.add(caller, issue, file);
      await this.uploads.end(id, true);
      return attachment;
    } catch (error) {
      await this.undo(id);
      if (!isFull(error)) throw error;
      this.reportFull();
      throw new StoreFull();
    }
  }

  /** The response refers the client to the operator, who must learn of it too. */
  private reportFull(): void {
    if (this.once.first('full'))
      this.log.error(
        'Uploads are refused: the disk of the attachments is full. Free space in the data folder; `npm run doctor` shows how much is left.',
      );
  }

  private async undo(id: string): Promise<void> {
    try {
      await this.uploads.end(id, false);
      await this.sweep.removeDue();
    } catch {
      // The sweep removes later what stays now, and the caller must get the error of the upload.
      return;
    }
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
}
