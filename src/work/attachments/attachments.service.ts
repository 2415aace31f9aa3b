import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/auth/auth.errors.js';
import { actorOf, type Principal } from '../../platform/auth/principal.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { Transactions } from '../../platform/database/transactions.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { NotFound } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import type { SeenIssue } from '../issues/issues.repository.js';
import { requireRole } from '../projects/require-role.js';
import type { AttachmentEntity } from './attachment.entity.js';
import { AttachmentsRepository, type SeenAttachment } from './attachments.repository.js';
import { LeftoverSweep } from './leftovers/leftover-sweep.js';
import { RunningUploads } from './leftovers/running-uploads.js';
import type { ReceivedFile } from './upload/received-file.js';

/** What is known of attachments (spec §5.4); their bytes lie in the store. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly attachments: AttachmentsRepository,
    private readonly uploads: RunningUploads,
    private readonly sweep: LeftoverSweep,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(issue: SeenIssue, page: PageRequest): Promise<Page<AttachmentEntity>> {
    return this.attachments.list(issue.id, page);
  }

  async get(caller: Principal, attachmentId: string): Promise<SeenAttachment> {
    return requireRole(caller, await this.attachments.findSeen(caller, attachmentId), 'Viewer');
  }

  /**
   * @param issue seen by the caller with the right to write
   * @throws NotFound where the issue was deleted meanwhile
   */
  add(caller: Principal, issue: SeenIssue, file: ReceivedFile): Promise<AttachmentEntity> {
    const by = actorOf(caller);
    const uploadedBy = { uploadedByType: by.type, uploadedById: by.id, uploadedByName: by.name };
    return this.transactions.run(async () => {
      await this.uploads.complete(file.id);
      const attachment = await this.insert({
        ...file,
        size: String(file.size),
        issueId: issue.id,
        ...uploadedBy,
      });
      const { id, filename, contentType, size } = file;
      const data = { attachmentId: id, filename, contentType, size };
      await this.journal.record({
        ...placeOf(attachment, issue.projectId),
        type: 'attachment.created',
        data,
      });
      return attachment;
    });
  }

  /** For whoever may write there; an agent deletes only uploads of its own (spec §2). */
  async delete(caller: Principal, attachmentId: string): Promise<void> {
    const seen = requireRole(caller, await this.attachments.findSeen(caller, attachmentId), 'Editor');
    if (caller.type === 'agent' && caller.id !== seen.uploadedById)
      throw new Forbidden('An agent deletes only uploads of its own.');
    await this.transactions.run(async () => {
      if (!(await this.attachments.delete(seen.id))) throw new NotFound();
      const data = { attachmentId: seen.id, filename: seen.filename };
      await this.journal.record({ ...placeOf(seen, seen.projectId), type: 'attachment.deleted', data });
      this.transactions.afterCommit(async () => void (await this.sweep.removeDue()));
    });
  }

  private async insert(attachment: Omit<AttachmentEntity, 'createdAt'>): Promise<AttachmentEntity> {
    try {
      return await this.attachments.insert(attachment);
    } catch (fault) {
      if (isForeignKeyViolation(fault, 'attachments_issue_fk')) throw new NotFound();
      throw fault;
    }
  }
}

function placeOf({ id, issueId }: AttachmentEntity, projectId: string) {
  return { subject: { type: 'attachment', id }, projectId, issueId };
}
