import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../database/disk-full.js';

/** Below this nothing of use can be written, and PostgreSQL cannot extend a file. */
const LEAST_FREE_BYTES = 1_048_576;

/**
 * Knows whether the data folder takes what is written (contract §8.1). The file system says how much is free, but of a
 * quota it says nothing. So once a write was refused for lack of space, a probe writes a MiB and removes it, until that
 * succeeds.
 */
export class FolderSpace {
  private wasFull = false;

  /** @param write writes a file of this size that is on the disk when it resolves */
  constructor(
    private readonly folder: string,
    private readonly write: (path: string, bytes: number) => Promise<void> = writeZeros,
  ) {}

  /** Takes note of an error that a write met. */
  note(error: unknown): void {
    if (isDiskFull(error)) this.wasFull = true;
  }

  /** Whether less than 1 MiB fits into the folder. */
  async isFull(): Promise<boolean> {
    if ((await this.freeBytes()) < LEAST_FREE_BYTES) return true;
    if (this.wasFull) this.wasFull = await this.refusesTrial();
    return this.wasFull;
  }

  private async freeBytes(): Promise<number> {
    const { bavail, bfree, bsize, blocks } = await statfs(this.folder);
    // Some network file systems report no sizes at all.
    if (blocks === 0) return Infinity;
    // Root may use what is reserved for it.
    return (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
  }

  private async refusesTrial(): Promise<boolean> {
    const path = join(this.folder, `.space-trial.${process.pid}`);
    try {
      await this.write(path, LEAST_FREE_BYTES);
      return false;
    } catch (error) {
      // Another error says nothing of space: the next write of a request does.
      return isDiskFull(error);
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** A network file system may refuse the bytes only when the file is synced. */
async function writeZeros(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(Buffer.alloc(bytes));
    await file.sync();
  } finally {
    await file.close();
  }
}
