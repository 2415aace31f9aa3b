import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from '../../platform/config/settings.js';
import type { AttachmentStore, ByteRange } from './attachment-store.js';

type StoreSettings = Pick<Settings, 's3' | 'dataDir'>;

/** Creates the store that the settings choose. */
export function chooseStore(settings: StoreSettings): Promise<AttachmentStore> {
  return storeNamed('attachments', settings);
}

/** Creates the store of archived months, beside that of attachments. */
export function chooseArchive(settings: StoreSettings): Promise<AttachmentStore> {
  return storeNamed('archive', settings);
}

/** The client of an object store is large, so it is loaded only when needed. */
async function storeNamed(name: string, { s3, dataDir }: StoreSettings): Promise<AttachmentStore> {
  if (!s3) return new DiskAttachmentStore(join(dataDir, name));
  const { S3AttachmentStore, s3ClientOf } = await import('./s3-store.js');
  return new S3AttachmentStore(s3ClientOf(s3), s3.bucket, name);
}

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
