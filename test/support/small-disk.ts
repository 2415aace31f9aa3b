import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this host allows mounting a disk. */
export const hasSmallDisks = canMount();

/** A small disk that a test can fill completely. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  static of(megabytes: number): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), 'awp-disk-'));
    mount(folder, megabytes);
    return new SmallDisk(folder);
  }

  /** Uses all the free space. */
  async fill(): Promise<void> {
    const file = await open(this.filler, 'a');
    try {
      for (const size of [1 << 20, 1 << 12, 1])
        for (const block = Buffer.alloc(size); await fits(() => file.appendFile(block)););
    } finally {
      await file.close();
    }
  }

  /** Frees what `fill` used. */
  clear(): void {
    rmSync(this.filler, { force: true });
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** A lazy unmount: processes that use the disk keep it until the last of them ends. */
  remove(): void {
    execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true });
  }

  private get filler(): string {
    return join(this.folder, 'filler');
  }
}

async function fits(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

function mount(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
}

/** Tries a mount in its own namespace, which disappears with the mount. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const command = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()];
  return spawnSync('unshare', command, { stdio: 'ignore' }).status === 0;
}
