import { join } from 'node:path';
import { SettingsFault } from '../../../platform/config/load-settings.js';
import type { Settings } from '../../../platform/config/settings.js';
import type { AttachmentStore } from './attachment-store.js';
import { DiskAttachmentStore } from './disk-attachment-store.js';

/** @throws SettingsFault, which ends the start with exit code 78 */
export function chooseStore({ attachmentStore, dataDir }: Settings): AttachmentStore {
  if (attachmentStore === 's3')
    throw new SettingsFault(
      'ATTACHMENT_STORE: s3 is not part of this build; set ATTACHMENT_STORE=disk, which keeps attachments under DATA_DIR.',
    );
  return new DiskAttachmentStore(join(dataDir, 'attachments'));
}
