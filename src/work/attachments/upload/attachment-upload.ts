import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { IssueAccess } from '../../issues/issue-access.js';
import type { AttachmentEntity } from '../attachment.entity.js';
import { StoreFull } from '../attachments.errors.js';
import { AttachmentsService } from '../attachments.service.js';
import { LeftoverSweep } from '../leftovers/leftover-sweep.js';
import { RunningUploads } from '../leftovers/running-uploads.js';
import { ATTACHMENT_STORE, type AttachmentStore } from '../store/attachment-store.js';
import { requireMultipart } from './multipart-rule.js';
import { readUploadForm } from './upload-form.js';
import { UploadStorage } from './upload-storage.js';

/** Takes in a file (spec §5.4): the bytes first, then their row; whatever goes wrong leaves neither. */
@Injectable()
export class AttachmentUpload {
  constructor(
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    private readonly access: IssueAccess,
    private readonly attachments: AttachmentsService,
    private readonly uploads: RunningUploads,
    private readonly sweep: LeftoverSweep,
    private readonly settings: Settings,
  ) {}

  /**
   * Existence and role are asked before the body is read, and not after it as elsewhere (spec §2): a stream
   * that nobody may send is not taken in to be thrown away. It may last, so they are asked again behind it.
   */
  async receive(
    caller: Principal,
    issueReference: string,
    request: Request,
    response: Response,
  ): Promise<AttachmentEntity> {
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
    } catch (fault) {
      await this.undo(id);
      throw isFull(fault) ? new StoreFull() : fault;
    }
  }

  /** What can't be undone now, the sweep finds: the refusal must not be lost over it. */
  private async undo(id: string): Promise<void> {
    try {
      await this.uploads.end(id, false);
      await this.sweep.removeDue();
    } catch {
      return;
    }
  }
}

function isFull(fault: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((fault as NodeJS.ErrnoException).code ?? '');
}
