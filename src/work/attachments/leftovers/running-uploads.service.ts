import { Injectable } from '@nestjs/common';
import { UploadOvertaken } from '../attachments.errors.js';
import { LeftoversRepository } from './leftovers.repository.js';

/** After how many seconds without a renewal an upload counts as dead. */
const SECONDS = 20;

/**
 * The uploads of this process, from before their first byte until their row exists. The database lists each as bytes
 * without a row, with a time after which any process may remove them. While this process lives it postpones that time.
 * So no other process removes what is still being written, and what a crash left is removed soon.
 */
@Injectable()
export class RunningUploadsService {
  private readonly ids = new Set<string>();

  constructor(private readonly leftovers: LeftoversRepository) {}

  async begin(id: string): Promise<void> {
    this.ids.add(id);
    await this.leftovers.insertUpload(id, SECONDS);
  }

  /** Call it in the transaction that writes the row: with its commit the bytes belong to an attachment. */
  async complete(id: string): Promise<void> {
    if (!(await this.leftovers.takeUpload(id))) throw new UploadOvertaken();
  }

  /** Ends an upload, successful or not. @param kept false to have its bytes removed */
  async end(id: string, kept: boolean): Promise<void> {
    if (this.ids.delete(id) && !kept) await this.leftovers.giveUp(id);
  }

  async renew(): Promise<void> {
    if (this.ids.size > 0) await this.leftovers.renewUploads([...this.ids], SECONDS);
  }
}
