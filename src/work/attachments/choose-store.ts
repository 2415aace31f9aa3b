import { join } from 'node:path';
import type { Settings } from '../../platform/config/settings.js';
import type { AttachmentStore } from './attachment-store.js';
import { DiskAttachmentStore } from './disk-store.js';

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
  const [{ S3AttachmentStore }, { s3ClientOf }] = await Promise.all([
    import('./s3-store.js'),
    import('./s3-store.js'),
  ]);
  return new S3AttachmentStore(s3ClientOf(s3), s3.bucket, name);
}
