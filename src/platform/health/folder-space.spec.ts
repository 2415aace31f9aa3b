import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FolderSpace } from './database-state-and-space-checks.service.js';

const failing = (code: string) => Object.assign(new Error('x'), { code });

describe('the space of a data folder', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-space-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['ENOSPC', 'EDQUOT'])(
    'is used up from a write that met %s on, until a trial fits, though the disk has space',
    async (code) => {
      let refusal: Error | null = null;
      let trials = 0;
      const space = new FolderSpace(folder, async () => {
        trials += 1;
        if (refusal) throw refusal;
      });
      expect(await space.isFull()).toBe(false);
      expect(trials).toBe(0);
      space.note(failing(code));
      refusal = failing(code);
      expect([await space.isFull(), await space.isFull()]).toEqual([true, true]);
      refusal = null;
      expect([await space.isFull(), await space.isFull()]).toEqual([false, false]);
      expect(trials).toBe(3);
    },
  );

  it('is not judged by another error, of a write or of a trial', async () => {
    const space = new FolderSpace(folder, () => Promise.reject(failing('EACCES')));
    space.note(failing('EIO'));
    space.note(null);
    expect(await space.isFull()).toBe(false);
    space.note(failing('EDQUOT'));
    expect(await space.isFull()).toBe(false);
  });

  it('is tried by a file that does not stay', async () => {
    const space = new FolderSpace(folder);
    space.note(failing('EDQUOT'));
    expect(await space.isFull()).toBe(false);
    expect(await readdir(folder)).toEqual([]);
  });
});
