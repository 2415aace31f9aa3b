import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a disk can be made here: that takes the right to mount one. */
export const hasSmallDisks = canMount();

/** A disk of its own that can be made really full. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  static of(megabytes: number): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), 'awp-disk-'));
    mount(folder, megabytes);
    return new SmallDisk(folder);
  }

  /** Takes all the room that there is. */
  async fill(): Promise<void> {
    const file = await open(this.filler, 'a');
    try {
      for (const size of [1 << 20, 1 << 12, 1])
        for (const block = Buffer.alloc(size); await fits(() => file.appendFile(block)););
    } finally {
      await file.close();
    }
  }

  /** Gives back what `fill` took. */
  clear(): void {
    rmSync(this.filler, { force: true });
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Whoever still works in it keeps it until the end; it goes with the last of them. */
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
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw fault;
  }
}

function mount(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
}

/** Tried in a namespace of its own, which takes the mount with it. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const command = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()];
  return spawnSync('unshare', command, { stdio: 'ignore' }).status === 0;
}
