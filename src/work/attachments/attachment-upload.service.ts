import { Readable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { OncePerMinute } from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { Settings } from '../../platform/config/settings.js';
import { WriteChecksService } from '../../platform/health/database-state-and-space-checks.service.js';
import {
  type Created,
  PlainCreationResponsesService,
} from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { Problem } from '../../platform/http/problem.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { ATTACHMENT_STORE, type AttachmentStore, isStoreFull, StoreFull } from './attachment-store.js';
import { AttachmentResponse } from './attachment.dto.js';
import { AttachmentsService } from './attachments.service.js';
import { LeftoverSweepWorker, RunningUploadsService } from './leftovers-and-running-uploads.worker.js';
import {
  FileTooLarge,
  readUploadForm,
  type ReceivedFile,
  requireMultipart,
  type SentFile,
  UploadStorage,
} from './upload-form-and-storage.js';

type WholeFile = Omit<SentFile, 'bytes'> & { bytes: Buffer };

/**
 * Bounds the bytes of the uploads that an agent has open in this process (contract §9.1). Its quota counts a file when it
 * is complete, and 500 open uploads of the largest size would hold 12 GiB of the disk until they are cut.
 */
@Injectable()
export class OpenUploadsService {
  private readonly limit: number;
  private readonly open = new Map<string, number>();

  constructor({ limits }: Settings) {
    this.limit = limits.attachmentBytesPerAgentHour || Infinity;
  }

  /**
   * Runs an upload.
   * @param read calls `hold` for the bytes that arrive, which throws where the agent has too many open
   */
  async during<T>({ id, type }: Principal, read: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
    let held = 0;
    const hold = (bytes: number): void => {
      const sum = (this.open.get(id) ?? 0) + bytes;
      if (type === 'agent' && sum > this.limit) throw new TooMuchUploading(sum - bytes);
      held += bytes;
      this.open.set(id, sum);
    };
    try {
      return await read(hold);
    } finally {
      const left = (this.open.get(id) ?? 0) - held;
      if (left > 0) this.open.set(id, left);
      else this.open.delete(id);
    }
  }
}

/** 429: the uploads that the agent has open hold as many bytes as it may upload per hour. */
class TooMuchUploading extends Problem {
  constructor(held: number) {
    super(
      'rate_limited',
      `Your open uploads hold ${held} bytes. Wait until some of them are complete, then send this again.`,
      { headers: { 'Retry-After': '1' } },
    );
  }
}

/** Who uploads to which issue, and whether an upload with the same key was answered before. */
interface Upload {
  caller: Principal;
  issueReference: string;
  isRepeated: boolean;
  replaces?: string | undefined;
}

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
    private readonly idempotency: PlainCreationResponsesService,
    private readonly quotas: QuotasService,
    private readonly open: OpenUploadsService,
    private readonly writes: WriteChecksService,
  ) {}

  /**
   * Receives the file of a form. With an `Idempotency-Key` the request is compared by what it uploads: the file's name,
   * type and SHA-256 (decision 0033). So a form may come again with another boundary, and
   * another file of the same size is refused. The row and the stored response are one transaction.
   */
  async receive(
    caller: Principal,
    issueReference: string,
    request: Request,
    response: Response,
    replaces?: string,
  ): Promise<AttachmentResponse> {
    requireMultipart(request.headers);
    const isRepeated = await this.idempotency.isAnswered(request, caller);
    return this.keep(
      { caller, issueReference, isRepeated, replaces },
      (storage) => readUploadForm(request, response, storage, this.settings.attachmentMaxBytes),
      (issue, file) => {
        const { filename, contentType, sha256 } = file;
        const add = () => this.insert(caller, issue, file, replaces);
        const content = { filename, contentType, sha256, ...(replaces && { replaces }) };
        return this.idempotency.create(request, response, caller, add, content);
      },
    );
  }

  /** Adds a file whose bytes are there already. */
  add(caller: Principal, issueReference: string, { bytes, ...file }: WholeFile): Promise<AttachmentResponse> {
    const limit = this.settings.attachmentMaxBytes;
    if (bytes.length > limit) throw new FileTooLarge(limit);
    return this.keep(
      { caller, issueReference, isRepeated: false },
      (storage) => storage.write({ ...file, bytes: Readable.from(bytes.length > 0 ? [bytes] : []) }),
      async (issue, received) => (await this.insert(caller, issue, received)).body,
    );
  }

  /**
   * Checks existence and role before the bytes are read, not after it as elsewhere (contract §2), so that the bytes of a
   * caller without the right are not received at all. An upload may take long, so both are checked again after it. The
   * bytes of a repetition, whose response is that of an earlier upload, are removed again.
   */
  private async keep(
    { caller, issueReference, isRepeated, replaces }: Upload,
    read: (storage: UploadStorage) => Promise<ReceivedFile>,
    save: (issue: SeenIssue, file: ReceivedFile) => Promise<AttachmentResponse>,
  ): Promise<AttachmentResponse> {
    await this.access.get(caller, issueReference, 'Editor');
    // The repetition of an upload that was answered writes nothing.
    if (!isRepeated) await this.quotas.requireRoom(caller, 'attachments', replaces === undefined ? 1 : 0);
    const id = uuidv7();
    try {
      const attachment = await this.open.during(caller, async (hold) => {
        const file = await read(new UploadStorage(id, this.store, this.uploads, hold));
        return save(await this.access.get(caller, issueReference, 'Editor'), file);
      });
      if (attachment.id === id) await this.uploads.end(id, true);
      else await this.undo(id);
      return attachment;
    } catch (error) {
      await this.undo(id);
      if (!isStoreFull(error)) throw error;
      this.reportFull(error);
      throw new StoreFull();
    }
  }

  private async insert(
    caller: Principal,
    issue: SeenIssue,
    file: ReceivedFile,
    replaces?: string,
  ): Promise<Created<AttachmentResponse>> {
    const body = AttachmentResponse.from(await this.attachments.add(caller, issue, file, replaces));
    return { location: body.downloadUrl, body };
  }

  /** The response refers the client to the operator, who must learn of it too. */
  private reportFull(error: unknown): void {
    this.writes.note(error);
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
