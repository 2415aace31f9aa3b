import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { requireRole, type Seen, visibilityOf } from '../projects/visibility.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { Attachment } from './attachment.entity.js';
import { LeftoverSweepWorker, RunningUploadsService } from './leftovers-and-running-uploads.worker.js';
import type { ReceivedFile } from './upload-form-and-storage.js';

/** An attachment with the caller's rank in its project, which it belongs to by its issue. */
export type SeenAttachment = Attachment & Seen & { projectId: string };

const COLUMNS = `
  a.id, a.issue_id AS "issueId", a.filename, a.content_type AS "contentType", a.is_raster_image AS "isRasterImage",
  a.size::float8 AS size, a.sha256, a.uploaded_by_type AS "uploadedByType", a.uploaded_by_id AS "uploadedById",
  a.uploaded_by_name AS "uploadedByName", a.created_at AS "createdAt"`;

/** Beside what TypeORM gives, the statements about attachments that stay SQL (decision 0053). */
@Injectable()
export class AttachmentRepository extends Repository<Attachment> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Attachment, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenAttachment | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenAttachment[]>(
      `SELECT ${COLUMNS}, i.project_id AS "projectId", ${visibility.rank} AS "callerRank"
       FROM attachments a JOIN issues i ON i.id = a.issue_id JOIN projects p ON p.id = i.project_id ${visibility.membership}
       WHERE a.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page, oldest first. */
  list(issueId: string, page: PageRequest): Promise<Page<Attachment>> {
    const list = { columns: COLUMNS, from: 'attachments a', where: 'a.issue_id = $1', parameters: [issueId] };
    return this.pages.readOldestFirst<Attachment>(list, page, 'a');
  }
}

/** The least that a replacement counts, so that the journal does not grow without an end. */
const REPLACEMENT_BYTES = 16_384;

/** Manages the rows of attachments (contract §5.4). Their bytes are in the store. */
@Injectable()
export class AttachmentsService {
  constructor(
    @InjectRepository(Attachment) private readonly attachments: AttachmentRepository,
    private readonly uploads: RunningUploadsService,
    private readonly sweep: LeftoverSweepWorker,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly quotas: QuotasService,
    private readonly givenBack: GivenBackIssuesRepository,
  ) {}

  list(issue: SeenIssue, page: PageRequest): Promise<Page<Attachment>> {
    return this.attachments.list(issue.id, page);
  }

  /** Returns the newest attachments of an issue, oldest first. */
  async newest(issue: SeenIssue, limit: number): Promise<Attachment[]> {
    const rows = await this.attachments.find({
      where: { issueId: issue.id },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
    return rows.toReversed();
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
  add(caller: Principal, issue: SeenIssue, file: ReceivedFile, replaces?: string): Promise<Attachment> {
    const by = actorOf(caller);
    const uploadedBy = { uploadedByType: by.type, uploadedById: by.id, uploadedByName: by.name };
    return this.transactions.run(async () => {
      if (caller.type === 'user') await this.givenBack.endWait([issue.id]);
      await this.uploads.complete(file.id);
      const attachment = await this.insert({ ...file, issueId: issue.id, ...uploadedBy });
      const { id, filename, contentType, size } = file;
      const data = { attachmentId: id, filename, contentType, size };
      const before = replaces === undefined ? null : await this.removeReplaced(caller, issue, replaces);
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
      if (caller.type === 'user') await this.givenBack.endWait([seen.issueId]);
      const { affected } = await this.attachments.delete({ id: seen.id });
      if (affected !== 1) throw new NotFound();
      const data = { attachmentId: seen.id, filename: seen.filename };
      await this.journal.record({ ...placeOf(seen, seen.projectId), type: 'attachment.deleted', data });
      this.transactions.afterCommit(async () => void (await this.sweep.removeDue()));
    });
  }

  /**
   * Deletes the attachment that an upload takes the place of, in the transaction of the upload and under the rule for
   * deletion (contract §5.4).
   * @returns its size in bytes, or null when it is no attachment of the issue any more, so that the upload is a new file
   * @throws {Forbidden} for an agent that did not upload it
   */
  private async removeReplaced(caller: Principal, issue: SeenIssue, id: string): Promise<number | null> {
    const replaced = await this.attachments.findOne({
      where: { id, issueId: issue.id },
      lock: { mode: 'pessimistic_write' },
    });
    if (replaced === null) return null;
    if (caller.type === 'agent' && caller.id !== replaced.uploadedById)
      throw new Forbidden('An agent replaces only uploads of its own.');
    await this.attachments.delete({ id });
    this.transactions.afterCommit(async () => void (await this.sweep.removeDue()));
    return replaced.size;
  }

  private async insert(attachment: Omit<Attachment, 'createdAt'>): Promise<Attachment> {
    try {
      const { generatedMaps } = await this.attachments.insert({ ...attachment });
      const [defaults] = generatedMaps as [Pick<Attachment, 'createdAt'>];
      return { ...attachment, ...defaults };
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

function placeOf({ id, issueId }: Attachment, projectId: string) {
  return { subject: { type: 'attachment', id }, projectId, issueId };
}
