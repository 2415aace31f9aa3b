import { isDiskFull } from '../../../platform/database/disk-full.js';

/** Whether the store cannot take the file: its disk is full, a quota is used up, or its files may not be that large. */
export function isStoreFull(error: unknown): boolean {
  return isDiskFull(error) || (error as NodeJS.ErrnoException | null)?.code === 'EFBIG';
}
