import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { startService, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  anAttachment,
  attachmentsOf,
  expectNothingLeft,
  file,
  FORM,
  form,
  expectUploadRefused,
  send,
  storedFiles,
  untilNothingIsLeft,
  type Attachment,
  errorsIn,
} from './attachments.forms.js';

const service = useService({ ownProcess: true });
let editor: Caller;
let issue: Issue;
beforeAll(async () => {
  editor = await asEditor(service);
  issue = await anIssue(editor, await aProject(editor));
});

/** Starts an upload and returns once its first half is on the disk. */
interface HalfUpload {
  answer: Promise<Answer<Attachment> | null>;
  finish: () => void;
  bytes: Buffer;
}

async function halfAnUpload(): Promise<HalfUpload> {
  const bytes = randomBytes(400_000);
  const whole = form(file(bytes)).rawBody as Buffer;
  const body = new PassThrough();
  body.on('error', () => undefined);
  body.write(whole.subarray(0, 200_000));
  const before = (await storedFiles(service)).length;
  const answer = editor
    .request<Attachment>('POST', attachmentsOf(issue), { rawBody: body, headers: FORM })
    .catch(() => null);
  await until(async () => (await storedFiles(service)).length > before);
  return { answer, finish: () => body.end(whole.subarray(200_000)), bytes };
}

/** Makes all recorded bytes due for removal. */
const letTimePass = () => service.sql('UPDATE attachment_leftovers SET remove_at = now()');

describe('kill -9 of the service', () => {
  it('during an upload leaves no bytes once the service runs again', async () => {
    const { answer } = await halfAnUpload();
    await service.kill();
    expect(await answer).toBeNull();
    expect(await service.sql('SELECT is_upload FROM attachment_leftovers')).toEqual([{ is_upload: true }]);
    await letTimePass();
    await service.start();
    await untilNothingIsLeft(service);
  });

  it('during an upload leaves no bytes after a while, without a restart', async () => {
    const { answer } = await halfAnUpload();
    await service.kill();
    expect(await answer).toBeNull();
    await service.start();
    const [left] = await service.sql<{ seconds: number }>(
      `UPDATE attachment_leftovers SET remove_at = remove_at - interval '15 seconds'
       RETURNING extract(epoch FROM remove_at - now())::float AS seconds`,
    );
    // It was due 20 s after its upload was last renewed. Most of that is taken from the wait.
    expect(left!.seconds).toBeLessThan(5);
    await untilNothingIsLeft(service);
  });

  it('between the deletion of an attachment’s row and of its bytes leaves no bytes', async () => {
    const [gone, kept] = [await anAttachment(editor, issue), await anAttachment(editor, issue)];
    await service.kill();
    await service.sql('DELETE FROM attachments WHERE id = $1', [gone.id]);
    expect(await storedFiles(service)).toContain(gone.id);
    await service.start();
    await untilNothingIsLeft(service);
    expect((await editor.get(kept.downloadUrl)).text).toBe('abc');
  });
});

describe('the sweep', () => {
  it('of another process never removes the bytes of a running upload, and removes what is due', async () => {
    const other = await service.second({ DATA_DIR: service.dataDir });
    const running = await halfAnUpload();
    const gone = await anAttachment(editor, issue);
    await service.sql('DELETE FROM attachments WHERE id = $1', [gone.id]);
    await until(async () => !(await storedFiles(service)).includes(gone.id));
    running.finish();
    const { status, body } = (await running.answer)!;
    expect(status).toBe(201);
    expect((await editor.at(other).get(body.downloadUrl)).bytes.equals(running.bytes)).toBe(true);
    await expectNothingLeft(service);
  });

  it('that treats an upload as dead makes it fail: no row exists without its bytes', async () => {
    const late = await halfAnUpload();
    await letTimePass();
    await until(
      async () =>
        (await storedFiles(service)).length === (await service.sql('SELECT 1 FROM attachments')).length,
    );
    late.finish();
    expect(await late.answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await untilNothingIsLeft(service);
  });

  it('postpones the removal of a running upload', async () => {
    const slow = await halfAnUpload();
    const due = async () =>
      (await service.sql<{ at: Date }>('SELECT remove_at AS at FROM attachment_leftovers'))[0]!.at.getTime();
    const first = await due();
    await until(async () => (await due()) > first);
    slow.finish();
    expect(await slow.answer).toMatchObject({ status: 201 });
    await expectNothingLeft(service);
  });

  it('removes hundreds of orphaned files in batches', async () => {
    const folder = join(service.dataDir, 'attachments');
    const rows = await service.sql<{ id: string }>(
      `INSERT INTO attachment_leftovers SELECT gen_random_uuid(), false, now() + interval '1 hour' FROM generate_series(1, 350) RETURNING id`,
    );
    await Promise.all(rows.map(({ id }) => writeFile(join(folder, id), 'left')));
    await letTimePass();
    await untilNothingIsLeft(service);
  });
});

/** Mounts a file system of 64 kB in place of the store's folder, which only root may do. */
function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', () => {
  it('makes an upload return 503, keeps nothing of it and is logged, while smaller ones succeed', async () => {
    const small = await startService();
    const folder = join(small.dataDir, 'attachments');
    await mkdir(folder, { recursive: true });
    if (!mounted(folder)) {
      console.warn('No full disk can be made here: mounting takes root.');
      await small.remove();
      return;
    }
    try {
      const caller = await asEditor(small);
      const place = await anIssue(caller, await aProject(caller));
      for (let round = 0; round < 3; round += 1) {
        await expectUploadRefused(send(caller, place, form(file(randomBytes(200_000)))), 503, 'storage_full');
        await expectNothingLeft(small);
      }
      expect(errorsIn(small).join()).toContain('the disk of the attachments is full');
      const attachment = await anAttachment(caller, place, file(randomBytes(20_000)));
      expect((await caller.get(attachment.downloadUrl)).bytes.length).toBe(20_000);
    } finally {
      await small.stop();
      execFileSync('umount', [folder]);
      await small.remove();
    }
  });
});
