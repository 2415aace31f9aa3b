import { join } from 'node:path';
import type { Settings } from '../../../platform/config/settings.js';
import type { AttachmentStore } from './attachment-store.js';
import { DiskAttachmentStore } from './disk-attachment-store.js';

/** Creates the store that the settings choose. The client of an object store is large, so it is loaded only when needed. */
export async function chooseStore({ s3, dataDir }: Settings): Promise<AttachmentStore> {
  if (!s3) return new DiskAttachmentStore(join(dataDir, 'attachments'));
  const [{ S3AttachmentStore }, { s3ClientOf }] = await Promise.all([
    import('./s3-attachment-store.js'),
    import('./s3-client.js'),
  ]);
  return new S3AttachmentStore(s3ClientOf(s3), s3.bucket);
}
