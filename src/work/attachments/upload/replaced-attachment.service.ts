import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../../platform/auth/auth.errors.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import type { SeenIssue } from '../../issues/issues.repository.js';
import { AttachmentsRepository } from '../attachments.repository.js';
import { LeftoverSweepWorker } from '../leftovers/leftover-sweep.worker.js';

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
