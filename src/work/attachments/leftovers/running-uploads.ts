import { Injectable } from '@nestjs/common';
import { UploadOvertaken } from '../attachments.errors.js';
import { LeftoversRepository } from './leftovers.repository.js';

/** How long an upload is believed to be running after its process was last heard of. */
const SECONDS = 20;

/**
 * The uploads of this process, from before their first byte until their row is there. Each is known to the
 * database as bytes without a row, with a time at which anyone may remove them; while the process lives it
 * puts that time off. So no other process ever removes what is still being written, and what a crash left is
 * removed soon.
 */
@Injectable()
export class RunningUploads {
  private readonly ids = new Set<string>();

  constructor(private readonly leftovers: LeftoversRepository) {}

  async begin(id: string): Promise<void> {
    this.ids.add(id);
    await this.leftovers.insertUpload(id, SECONDS);
  }

  /** Inside the transaction that writes the row: the bytes are an attachment's from its commit on. */
  async complete(id: string): Promise<void> {
    if (!(await this.leftovers.takeUpload(id))) throw new UploadOvertaken();
  }

  /** Whatever came of it. @param kept false: its bytes are to be removed */
  async end(id: string, kept: boolean): Promise<void> {
    if (this.ids.delete(id) && !kept) await this.leftovers.giveUp(id);
  }

  async renew(): Promise<void> {
    if (this.ids.size > 0) await this.leftovers.renewUploads([...this.ids], SECONDS);
  }
}
