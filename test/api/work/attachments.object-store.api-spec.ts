import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { S3Server } from '../../support/s3-server.js';
import { startService, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  anAttachment,
  attachmentsOf,
  file,
  FORM,
  form,
  pathOf,
  expectUploadRefused,
  send,
} from './attachments.forms.js';

/** Larger than several parts of 5 MiB. */
const LARGE = 18 * 1_048_576;

const server = new S3Server();
const settings: Record<string, string> = {};
beforeAll(async () => {
  await server.start({ unfinishedUploads: true });
  Object.assign(settings, server.settings);
});
const service = useService({ settings, ownProcess: true });
afterAll(() => server.remove());

let editor: Caller;
let issue: Issue;
beforeAll(async () => {
  editor = await asEditor(service);
  issue = await anIssue(editor, await aProject(editor));
});

const letTimePass = () => service.sql('UPDATE attachment_leftovers SET remove_at = now()');

async function untilNothingIsLeft(): Promise<void> {
  await until(async () => (await service.sql('SELECT 1 FROM attachment_leftovers')).length === 0, 60);
  const rows = await service.sql<{ id: string }>('SELECT id FROM attachments ORDER BY id');
  expect(await server.objects()).toEqual(rows.map(({ id }) => id).toSorted());
  expect(await server.unfinished()).toEqual([]);
}

/** Starts an upload and returns once some parts have arrived in the store. */
async function halfAnUpload() {
  const whole = form(file(randomBytes(LARGE))).rawBody as Buffer;
  const body = new PassThrough();
  body.on('error', () => undefined);
  body.write(whole.subarray(0, LARGE / 2));
  const abort = new AbortController();
  const options = { rawBody: body, headers: FORM, signal: abort.signal };
  const answer = editor.request('POST', attachmentsOf(issue), options).catch(() => null);
  await until(async () => (await server.unfinished()).length > 0);
  return { answer, abort: () => abort.abort(), finish: () => body.end(whole.subarray(LARGE / 2)) };
}

describe('a file of several parts', () => {
  it('is returned unchanged, whole and in ranges across the boundaries of its parts', async () => {
    const bytes = randomBytes(LARGE);
    const { downloadUrl } = await anAttachment(editor, issue, file(bytes));
    expect((await editor.get(downloadUrl)).bytes.equals(bytes)).toBe(true);
    const [start, end] = [5 * 1_048_576 - 3, 5 * 1_048_576 + 2];
    const part = await editor.get(downloadUrl, { headers: { range: `bytes=${start}-${end}` } });
    expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
    await untilNothingIsLeft();
  });

  it('that its client aborts leaves no part', async () => {
    const upload = await halfAnUpload();
    upload.abort();
    await upload.answer;
    await untilNothingIsLeft();
  });

  it('leaves no part after kill -9 of the service', async () => {
    const { answer } = await halfAnUpload();
    await service.kill();
    expect(await answer).toBeNull();
    expect(await server.unfinished()).toHaveLength(1);
    await letTimePass();
    await service.start();
    await untilNothingIsLeft();
  });
});

describe('an upload that a sweep treated as dead', () => {
  it('fails, and bytes that the store accepts after that are removed too', async () => {
    const whole = form(file(randomBytes(200_000))).rawBody as Buffer;
    const body = new PassThrough();
    body.write(whole.subarray(0, 100_000));
    const answer = editor.request('POST', attachmentsOf(issue), { rawBody: body, headers: FORM });
    await until(async () => (await service.sql('SELECT 1 FROM attachment_leftovers')).length === 1);
    // A deletion also sweeps. Unlike the sweep of every 5 seconds, it does not first renew running uploads.
    await until(async () => {
      await letTimePass();
      const other = await anIssue(editor, { id: issue.projectId });
      await editor.delete(`/api/projects/issues/${other.id}?confirm=true`);
      return (await service.sql('SELECT 1 FROM attachment_leftovers')).length === 0;
    });
    body.end(whole.subarray(100_000));
    await expectUploadRefused(answer, 503, 'unavailable');
    await untilNothingIsLeft();
  });
});

describe('an unreachable store', () => {
  it('makes only uploads and downloads return 503, and loses what was deleted meanwhile once it is reachable', async () => {
    const [before, gone] = [await anAttachment(editor, issue), await anAttachment(editor, issue)];
    await server.stop();
    const upload = await send(editor, issue, form(file('abc')));
    expect({ status: upload.status, wait: upload.headers['retry-after'] }).toEqual({
      status: 503,
      wait: '2',
    });
    await expectUploadRefused(editor.get(before.downloadUrl), 503, 'unavailable');
    expect((await editor.get(`/api/projects/issues/${issue.id}`)).status).toBe(200);
    expect((await editor.delete(pathOf(gone))).status).toBe(204);
    await server.start({ unfinishedUploads: true });
    expect((await editor.get(before.downloadUrl)).text).toBe('abc');
    await letTimePass();
    await untilNothingIsLeft();
  });
});

describe('a store that rejects the credentials of the service', () => {
  it('is reported to callers as unavailable, and the secret is neither in the response nor in the log', async () => {
    const secret = 'not-the-secret-of-the-store';
    const other = await startService({
      settings: { ...settings, S3_ACCESS_KEY_ID: 'nobody', S3_SECRET_ACCESS_KEY: secret },
    });
    try {
      const caller = await asEditor(other);
      const place = await anIssue(caller, await aProject(caller));
      const answer = await send(caller, place, form(file('abc')));
      expect(answer.status).toBe(503);
      await until(() => other.log.includes('InvalidAccessKeyId'));
      expect(answer.text + other.log).not.toContain(secret);
    } finally {
      await other.remove();
    }
  });
});
