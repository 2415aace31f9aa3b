// Preloaded into a process (`node --import`): while the file of QUOTA_USED_UP exists, no file can be put on the disk, as
// for a user whose quota is used up. A network file system reports that when the file is synced.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';

const marker = process.env.QUOTA_USED_UP;
const file = await open('/dev/null');
const methods = Object.getPrototypeOf(file);
await file.close();

const { sync } = methods;
methods.sync = async function (...args) {
  if (existsSync(marker)) throw Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' });
  return sync.apply(this, args);
};
