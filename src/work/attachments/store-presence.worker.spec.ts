import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreComparison, storeIdOf, type StorePresence } from './store-presence.worker.js';

const own: StorePresence = { process: 'p1', store: 's1', folder: '/srv/a/attachments', host: 'one' };
const other = { process: 'p2', store: 's2', folder: '/srv/b/attachments', host: 'two' };
const said = (presence: object) => JSON.stringify(presence);

describe('the comparison of stores', () => {
  it('warns of each other store once, with both folders and hosts and what to do', () => {
    const comparison = new StoreComparison(own);
    expect(comparison.hear(said(other))).toEqual({
      isNew: true,
      warning: expect.stringMatching(
        /^Attachments are kept in two places: this process keeps them in \/srv\/a\/attachments on one, .* in \/srv\/b\/attachments on two\. .*ATTACHMENT_STORE=s3\.$/,
      ),
    });
    expect(comparison.hear(said(other))).toEqual({ isNew: false, warning: null });
    expect(comparison.hear(said({ ...other, process: 'p3' }))).toEqual({ isNew: true, warning: null });
    expect(comparison.hear(said({ ...other, process: 'p4', store: 's3' })).warning).not.toBeNull();
  });

  it('is silent about the same store under another path, and about itself', () => {
    const comparison = new StoreComparison(own);
    expect(comparison.hear(said({ ...other, store: 's1' }))).toEqual({ isNew: true, warning: null });
    expect(comparison.hear(said(own))).toEqual({ isNew: false, warning: null });
  });

  it.each(['', 'text', 'null', '[]', '{"process":1}', said({ process: 'p', store: 's', folder: '/x' })])(
    'ignores %j',
    (payload) => {
      expect(new StoreComparison(own).hear(payload)).toEqual({ isNew: false, warning: null });
    },
  );
});

describe('the id of a store', () => {
  let folder = '';
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-store-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is that of the folder, for all who ask at once, and for those who come later', async () => {
    const made = join(folder, 'attachments');
    const ids = new Set(await Promise.all(Array.from({ length: 20 }, () => storeIdOf(made))));
    ids.add(await storeIdOf(made));
    expect(ids.size).toBe(1);
    expect(await readdir(made)).toEqual(['.store-id']);
    expect(await storeIdOf(join(folder, 'another'))).not.toBe([...ids][0]);
  });
});
