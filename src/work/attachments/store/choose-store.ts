import { join } from 'node:path';
import type { Settings } from '../../../platform/config/settings.js';
import type { AttachmentStore } from './attachment-store.js';
import { DiskAttachmentStore } from './disk-attachment-store.js';

/** The client of an object store is large: only a service that has one loads it. */
export async function chooseStore({ s3, dataDir }: Settings): Promise<AttachmentStore> {
  if (!s3) return new DiskAttachmentStore(join(dataDir, 'attachments'));
  const [{ S3AttachmentStore }, { s3ClientOf }] = await Promise.all([
    import('./s3-attachment-store.js'),
    import('./s3-client.js'),
  ]);
  return new S3AttachmentStore(s3ClientOf(s3), s3.bucket);
}
