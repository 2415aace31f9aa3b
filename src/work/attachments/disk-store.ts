import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AttachmentStore, ByteRange } from './attachment-store.js';

/** Keeps one file per attachment, named by its id and by nothing that a client sent. */
export class DiskAttachmentStore implements AttachmentStore {
  /** @param folder an absolute path; created when missing */
  constructor(private readonly folder: string) {}

  async write(id: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(this.pathOf(id), 'wx', 0o600);
    try {
      await writeFile(file, bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.syncFolder();
  }

  async read(id: string, range: ByteRange): Promise<Readable> {
    const file = await open(this.pathOf(id), 'r');
    return file.createReadStream(range);
  }

  async delete(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true });
  }

  /** The name of a new file is durable only after its folder is synced. */
  private async syncFolder(): Promise<void> {
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, id);
  }
}
