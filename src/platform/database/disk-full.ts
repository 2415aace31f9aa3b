/** What the operating system reports of a disk without space, and of a user or group whose quota is used up. */
const CODES = ['ENOSPC', 'EDQUOT'];

/**
 * Whether an error of the file system says that nothing more fits: the disk is full, or the quota of the service's user is
 * used up. Both are treated alike everywhere (contract §8.6). A file that is larger than the disk takes is `EFBIG`, which
 * only the store of attachments counts too.
 */
export function isDiskFull(error: unknown): boolean {
  return CODES.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}
