import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../../platform/config/settings.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { ATTACHMENT_STORE, type AttachmentStore } from '../attachments/attachment-store.js';
import { Attachment } from '../attachments/attachment.entity.js';
import { AttachmentRepository } from '../attachments/attachments.service.js';
import { RunningUploadsService } from '../attachments/leftovers-and-running-uploads.worker.js';
import { FileTooLarge, type ReceivedFile, UploadStorage } from '../attachments/upload-form-and-storage.js';
import {
  ArchiveDamaged,
  type ArchivedFile,
  ATTACHED_FOLDER,
  END_FILE,
  filesIn,
  LINES_FILE,
} from './formats/awp.js';
import type { AttachmentItem } from './formats/import-items.js';
import { type ImportJob, isFresh, NOTHING, type Placed } from './import-issues.service.js';
import type { KnownObject } from './import.entity.js';
import { ImportRepository, type Outcome } from './import.repository.js';
import { MOST_ERRORS } from './import.entity.js';
import type { StoredFile } from './import-file.js';

/** A file of the archive, and how many are before it and itself. */
interface Arrived {
  file: ArchivedFile;
  place: number;
}

/**
 * Brings the attachments of an archive to their issues (contract §5.12), one file after the other as the tar has them. The bytes are in the
 * store before their row, as those of an upload. The row and the place in the archive are one transaction.
 */
@Injectable()
export class ImportAttachmentsService {
  constructor(
    private readonly progress: ImportRepository,
    @InjectRepository(Attachment) private readonly attachments: AttachmentRepository,
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    private readonly uploads: RunningUploadsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly settings: Settings,
  ) {}

  /**
   * Works from the place of the import to the end of the archive. One that ends too early is reported with what it does not have.
   * @param named the attachments of the export
   * @param mayGoOn is asked before each file, and may throw
   * @returns whether the end was reached
   */
  async make(
    job: ImportJob,
    named: readonly Placed<AttachmentItem>[],
    archive: StoredFile,
    mayGoOn: () => Promise<boolean>,
  ): Promise<boolean> {
    const { row } = job;
    const left = new Map(named.map((placed) => [nameOf(placed.item), placed]));
    const errors: Outcome['errors'] = [];
    let place = 0;
    let isWhole = false;
    try {
      for await (const file of filesIn(await archive.whole())) {
        place += 1;
        const placed = left.get(file.name);
        if (file.name === END_FILE) isWhole = true;
        const isDone = place <= row.position;
        if (!isDone && !(await mayGoOn())) return false;
        if (placed && !isDone) await this.put(job, placed, { file, place });
        left.delete(file.name);
        if (placed) continue;
        if (file.name !== END_FILE && file.name !== LINES_FILE && errors.length < MOST_ERRORS)
          errors.push({ line: 0, message: `${JSON.stringify(file.name)} left out: no line names it` });
      }
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error;
      errors.push({ line: 0, message: `the archive is damaged: ${error.message}` });
    }
    if (!isWhole) errors.push({ line: 0, message: `the archive has no ${END_FILE}: it is not whole` });
    await this.finish(job, [...left.values()], errors);
    return true;
  }

  /** Reports what the archive does not have, and goes on to the next pass. */
  private async finish(
    { row }: ImportJob,
    missing: readonly Placed<AttachmentItem>[],
    errors: Outcome['errors'],
  ): Promise<void> {
    for (const { line, item } of missing.slice(0, MOST_ERRORS))
      errors.push({ line, message: `${titleOf(item)} left out: the archive has no bytes of it` });
    const place = { pass: row.pass + 1, position: 0 };
    const outcome = { ...NOTHING, skipped: missing.length, errors };
    await this.transactions.run(() => this.progress.advance(row, place, missing.length, outcome));
  }

  private async put(job: ImportJob, { line, item }: Placed<AttachmentItem>, { file, place }: Arrived) {
    const { row, project } = job;
    const at = { pass: row.pass, position: place };
    const done = (outcome: Outcome) => this.progress.advance(row, at, 1, outcome);
    try {
      const issue = (await this.progress.known(project.id, 'issue', [item.issue])).get(item.issue);
      if (!issue) throw new Problem('not_found', `${JSON.stringify(item.issue)} is not in this project`);
      if (file.size > this.settings.attachmentMaxBytes)
        throw new FileTooLarge(this.settings.attachmentMaxBytes);
      if (await this.isThere(issue, item)) return await this.transactions.run(() => done(NOTHING));
      await this.receive(job, item, issue, file, () => done({ ...NOTHING, created: 1 }));
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const message = `${titleOf(item)} left out: ${error.detail}`;
      const outcome = { ...NOTHING, skipped: 1, errors: [{ line, message }] };
      await this.transactions.run(() => done(outcome));
    }
  }

  /** A file keeps no id of its source: it is the same where issue, name, bytes and time are. */
  private isThere(
    { objectId }: KnownObject,
    { filename, sha256, createdAt }: AttachmentItem,
  ): Promise<boolean> {
    if (sha256 === null) return Promise.resolve(false);
    const at = createdAt === null ? {} : { createdAt: new Date(createdAt) };
    return this.attachments.existsBy({ issueId: objectId, filename, sha256, ...at });
  }

  private async receive(
    job: ImportJob,
    item: AttachmentItem,
    issue: KnownObject,
    { bytes }: ArchivedFile,
    done: () => Promise<void>,
  ): Promise<void> {
    const id = uuidv7();
    const { filename, contentType, sha256 } = item;
    try {
      const storage = new UploadStorage(id, this.store, this.uploads, () => undefined);
      const received = await storage.write({ filename, contentType, bytes });
      if (sha256 !== null && sha256.toLowerCase() !== received.sha256)
        throw new Problem('validation_failed', 'its bytes are not those that the export names');
      await this.transactions.run(async () => {
        await this.insert(job, item, issue, received);
        await done();
      });
    } catch (error) {
      await this.uploads.end(id, false);
      throw error;
    }
    await this.uploads.end(id, true);
  }

  private async insert(
    job: ImportJob,
    { createdBy, createdAt }: AttachmentItem,
    issue: KnownObject,
    received: ReceivedFile,
  ): Promise<void> {
    const { id, filename, contentType, size } = received;
    const issueId = issue.objectId;
    await this.uploads.complete(id);
    const by = { uploadedByType: createdBy.type, uploadedById: null, uploadedByName: createdBy.name };
    try {
      const at = createdAt && { createdAt: new Date(createdAt) };
      await this.attachments.insert({ ...received, issueId, ...by, ...at });
    } catch (error) {
      if (!isForeignKeyViolation(error, 'attachments_issue_fk')) throw error;
      throw new Problem('not_found', 'its issue has been deleted');
    }
    if (isFresh(job, issue)) return;
    await this.journal.record({
      type: 'attachment.created',
      subject: { type: 'attachment', id },
      projectId: job.project.id,
      issueId,
      data: { attachmentId: id, filename, contentType, size },
    });
  }
}

/** What the file of an attachment is called in an archive. */
const nameOf = ({ externalId }: AttachmentItem) => `${ATTACHED_FOLDER}${externalId.replace(/^awp:/, '')}`;

const titleOf = ({ filename, issue }: AttachmentItem) => `attachment ${JSON.stringify(filename)} of ${issue}`;
