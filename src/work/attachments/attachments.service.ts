import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import { actorOf, type Principal } from '../../platform/authentication/principal.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { NotFound } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { AttemptsRepository } from '../issue-status/issue-attempts.repository.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { requireRole } from '../projects/visibility.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { type AttachmentRow, AttachmentsRepository, type SeenAttachment } from './attachment.repository.js';
import { LeftoverSweepWorker, RunningUploadsService } from './leftover-sweep.worker.js';
import type { ReceivedFile } from './upload-storage.js';

/** Removes the attachment that an upload with `replaces` takes the place of (contract §5.4). */
@Injectable()
export class ReplacedAttachmentService {
  constructor(
    private readonly attachments: AttachmentsRepository,
    private readonly sweep: LeftoverSweepWorker,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Deletes it in the transaction of the upload, under the rule for deletion.
   * @returns its size in bytes, or null when it is no attachment of the issue any more, so that the upload is a new file
   * @throws {Forbidden} for an agent that did not upload it
   */
  async remove(caller: Principal, issue: SeenIssue, attachmentId: string): Promise<number | null> {
    const replaced = await this.attachments.lock(issue.id, attachmentId);
    if (replaced === null) return null;
    if (caller.type === 'agent' && caller.id !== replaced.uploadedById)
      throw new Forbidden('An agent replaces only uploads of its own.');
    await this.attachments.delete(attachmentId);
    this.transactions.afterCommit(async () => void (await this.sweep.removeDue()));
    return Number(replaced.size);
  }
}

/** The least that a replacement counts, so that the journal does not grow without an end. */
const REPLACEMENT_BYTES = 16_384;

/** Manages the rows of attachments (contract §5.4). Their bytes are in the store. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly attachments: AttachmentsRepository,
    private readonly uploads: RunningUploadsService,
    private readonly sweep: LeftoverSweepWorker,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly quotas: QuotasService,
    private readonly replaced: ReplacedAttachmentService,
    private readonly attempts: AttemptsRepository,
  ) {}

  list(issue: SeenIssue, page: PageRequest): Promise<Page<AttachmentRow>> {
    return this.attachments.list(issue.id, page);
  }

  /** Returns the newest attachments of an issue, oldest first. */
  newest(issue: SeenIssue, limit: number): Promise<AttachmentRow[]> {
    return this.attachments.newest(issue.id, limit);
  }

  async get(caller: Principal, attachmentId: string): Promise<SeenAttachment> {
    return requireRole(caller, await this.attachments.findSeen(caller, attachmentId), 'Viewer');
  }

  /**
   * @param issue that the caller sees and may write in
   * @param replaces an attachment of the issue that the file replaces. Where it has been deleted, the file is a new one.
   * @throws {NotFound} when the issue has been deleted
   * @throws {QuotaExceeded}
   */
  add(caller: Principal, issue: SeenIssue, file: ReceivedFile, replaces?: string): Promise<AttachmentRow> {
    const by = actorOf(caller);
    const uploadedBy = { uploadedByType: by.type, uploadedById: by.id, uploadedByName: by.name };
    return this.transactions.run(async () => {
      if (caller.type === 'user') await this.attempts.endWait([issue.id]);
      await this.uploads.complete(file.id);
      const attachment = await this.insert({
        ...file,
        size: String(file.size),
        issueId: issue.id,
        ...uploadedBy,
      });
      const { id, filename, contentType, size } = file;
      const data = { attachmentId: id, filename, contentType, size };
      const before = replaces === undefined ? null : await this.replaced.remove(caller, issue, replaces);
      await this.journal.record({
        ...placeOf(attachment, issue.projectId),
        ...(before === null
          ? { type: 'attachment.created', data }
          : { type: 'attachment.replaced', data: { ...data, replacedId: replaces } }),
      });
      await this.quotas.spend(caller, 'attachments', spentBy(size, before));
      return attachment;
    });
  }

  /** Deletes an attachment. A user needs the right to write there; an agent may delete only its own uploads (contract §2). */
  async delete(caller: Principal, attachmentId: string): Promise<void> {
    const seen = requireRole(caller, await this.attachments.findSeen(caller, attachmentId), 'Editor');
    if (caller.type === 'agent' && caller.id !== seen.uploadedById)
      throw new Forbidden('An agent deletes only uploads of its own.');
    await this.transactions.run(async () => {
      if (caller.type === 'user') await this.attempts.endWait([seen.issueId]);
      if (!(await this.attachments.delete(seen.id))) throw new NotFound();
      const data = { attachmentId: seen.id, filename: seen.filename };
      await this.journal.record({ ...placeOf(seen, seen.projectId), type: 'attachment.deleted', data });
      this.transactions.afterCommit(async () => void (await this.sweep.removeDue()));
    });
  }

  private async insert(attachment: Omit<AttachmentRow, 'createdAt'>): Promise<AttachmentRow> {
    try {
      return await this.attachments.insert(attachment);
    } catch (error) {
      if (isForeignKeyViolation(error, 'attachments_issue_fk')) throw new NotFound();
      throw error;
    }
  }
}

/**
 * What an upload takes of the quota. A replacement counts only the bytes by which the file grew: the log of a run comes
 * again every minute, and 17 runs of one agent would use up the number of 1,000 files per hour.
 */
function spentBy(size: number, replaced: number | null): { number: number; bytes: number } {
  if (replaced === null) return { number: 1, bytes: size };
  return { number: 0, bytes: Math.max(size - replaced, REPLACEMENT_BYTES) };
}

function placeOf({ id, issueId }: AttachmentRow, projectId: string) {
  return { subject: { type: 'attachment', id }, projectId, issueId };
}
