import { createHash, randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { RequestOptions } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../support/callers.js';
import {
  anAttachment,
  attachmentsOf,
  BOUNDARY,
  errorsIn,
  expectNothingLeft,
  field,
  file,
  FORM,
  form,
  partBytes,
  pathOf,
  expectUploadRefused,
  runningUploads,
  send,
  storedFiles,
  untilNothingIsLeft,
  untilOneMoreRuns,
  type Attachment,
} from './attachments.forms.js';
import { STORES, useServiceWith } from './attachments.stores.js';

const LIMIT = 1_000_000;
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

describe.each(STORES)('kept on %s:', (kind) => {
  const service = useServiceWith(kind, {
    settings: { ATTACHMENT_MAX_BYTES: String(LIMIT), DATABASE_POOL_SIZE: '2' },
  });
  let editor: Caller;
  let viewer: Caller;
  let agent: Caller;
  let project: Project;
  let issue: Issue;
  beforeAll(async () => {
    [editor, viewer, agent] = await Promise.all([asEditor(service), asViewer(service), asAgent(service)]);
    project = await aProject(editor);
    issue = await anIssue(editor, project);
  });

  const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
  const download = ({ downloadUrl }: Attachment) => viewer.get(downloadUrl);

  describe('uploading a file', () => {
    it('returns its metadata, and its bytes are returned unchanged', async () => {
      const bytes = randomBytes(300_000);
      const { status, body, headers } = await send(
        editor,
        issue,
        form(file(bytes, { filename: 'a b.bin', type: 'application/x-thing' })),
      );
      expect(status).toBe(201);
      expect(headers['location']).toBe(body.downloadUrl);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        issueId: issue.id,
        filename: 'a b.bin',
        contentType: 'application/x-thing',
        size: 300_000,
        sha256: sha256(bytes),
        downloadUrl: `/api/projects/attachments/${body.id}/download`,
        uploadedBy: { type: 'user', id: editor.id, name: editor.name },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect((await viewer.get<Attachment[]>(attachmentsOf(issue))).body).toContainEqual(body);
      expect((await download(body)).bytes.equals(bytes)).toBe(true);
      await expectNothingLeft(service);
    });

    it('by an agent names the agent as uploader, by the key of the issue and by its id', async () => {
      const { body } = await send(agent, { id: issue.key }, form(file()));
      expect(body).toMatchObject({
        issueId: issue.id,
        uploadedBy: { type: 'agent', id: agent.id, name: agent.name },
      });
    });

    it('that is empty succeeds', async () => {
      const attachment = await anAttachment(editor, issue, file(''));
      expect(attachment).toMatchObject({ size: 0, sha256: sha256('') });
      const { status, bytes, headers } = await download(attachment);
      expect({ status, length: bytes.length, said: headers['content-length'] }).toEqual({
        status: 200,
        length: 0,
        said: '0',
      });
    });

    it('of exactly the limit succeeds, and of one byte more returns 413 and leaves nothing', async () => {
      const bytes = randomBytes(LIMIT + 1);
      const whole = await anAttachment(editor, issue, file(bytes.subarray(0, LIMIT)));
      expect((await download(whole)).bytes.equals(bytes.subarray(0, LIMIT))).toBe(true);
      await expectUploadRefused(send(editor, issue, form(file(bytes))), 413, 'payload_too_large');
      await expectUploadRefused(
        send(editor, issue, form(file(randomBytes(8 * LIMIT)))),
        413,
        'payload_too_large',
      );
      await expectNothingLeft(service);
    });

    it.each([
      ['text/plain', 'text/plain'],
      ['TEXT/Plain; charset=utf-8', 'text/plain'],
      ['image/svg+xml', 'image/svg+xml'],
      ['', 'text/plain'],
      ['nonsense', 'text/plain'],
      ['text/<script>', 'text/plain'],
      [`text/${'x'.repeat(200)}`, 'application/octet-stream'],
    ])('of the type %j stores %s', async (type, contentType) => {
      const attachment = await anAttachment(editor, issue, file('abc', { type }));
      expect(attachment.contentType).toBe(contentType);
      expect((await download(attachment)).headers['content-type']).toBe(contentType);
    });

    it('in 40 concurrent requests on two database connections succeeds for all', async () => {
      const files = Array.from({ length: 40 }, () => randomBytes(50_000));
      const made = await Promise.all(files.map((bytes) => anAttachment(editor, issue, file(bytes))));
      for (const [index, attachment] of made.entries())
        expect((await download(attachment)).bytes.equals(files[index]!)).toBe(true);
      await expectNothingLeft(service);
    });
  });

  describe('an upload is rejected, and nothing of it is left,', () => {
    it.each<[string, string, RequestOptions]>([
      ['without a part', 'file', form()],
      ['with a file that has no name', 'file', form(file('abc', { filename: '' }))],
      ['with a text in the field `file`', 'file', form(field('file'))],
      ['with a second file', 'file', form(file(), file())],
      ['with a second file in another field', 'file', form(file(), file('abc', { name: 'files' }))],
      ['with a file in another field', 'attachment', form(file('abc', { name: 'attachment' }))],
      ['with a text beside the file', 'note', form(file(), field('note'))],
      ['with a text before the file', 'note', form(field('note'), file())],
      ['with many texts', '', form(file(), ...Array.from({ length: 50 }, (_, index) => field(`f${index}`)))],
      ['with a long text', 'note', form(field('note', 'x'.repeat(5_000)), file())],
    ])('%s', async (_, path, options) => {
      await expectUploadRefused(send(editor, issue, options), 400, 'validation_failed', path);
      await expectNothingLeft(service);
    });

    const whole = form(file(randomBytes(5_000))).rawBody as Buffer;
    it.each<[string, Buffer | string, string?]>([
      ['cut off in a header', whole.subarray(0, 40)],
      ['cut off in the file', whole.subarray(0, 3_000)],
      ['cut off before its last line', whole.subarray(0, whole.length - BOUNDARY.length - 6)],
      ['cut off in its last line', whole.subarray(0, whole.length - 4)],
      ['of nothing', ''],
      ['of white space', '\r\n\r\n\r\n'],
      ['of noise', randomBytes(10_000)],
      ['of JSON', '{"file": "/etc/passwd"}'],
      ['with another boundary', whole, 'multipart/form-data; boundary=other'],
      ['without a boundary', whole, 'multipart/form-data'],
      ['with an empty boundary', whole, 'multipart/form-data; boundary='],
      [
        'with a part without a name',
        partBytes({ head: 'Content-Disposition: form-data; filename="x"', bytes: 'abc' }),
      ],
      ['with a part without a disposition', partBytes({ head: 'Content-Type: text/plain', bytes: 'abc' })],
      ['with endless headers', `--${BOUNDARY}\r\n${'X-Header: value\r\n'.repeat(5_000)}`],
      [
        'with a header of 100 kB',
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${'x'.repeat(100_000)}"\r\n\r\nabc`,
      ],
      [
        'with field names that have a meaning in JavaScript',
        Buffer.concat(
          ['__proto__', 'constructor[prototype]', 'a[b][c]'].map((name) => partBytes(field(name))),
        ),
      ],
    ])('as a form %s, and the service keeps running', async (_, rawBody, type = FORM['content-type']) => {
      await expectUploadRefused(
        send(editor, issue, { rawBody, headers: { 'content-type': type } }),
        400,
        'validation_failed',
      );
      await expectNothingLeft(service);
      expect((await viewer.get('/livez')).status).toBe(200);
    });

    it.each<[string, RequestOptions]>([
      ['JSON', { body: { file: 'x', path: '/etc/passwd' } }],
      [
        'a form in a URL',
        { rawBody: 'file=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ],
      [
        'another kind of multipart',
        { ...form(file()), headers: { 'content-type': `multipart/mixed; boundary=${BOUNDARY}` } },
      ],
      ['bytes', { rawBody: 'abc', headers: { 'content-type': 'text/plain' } }],
      ['no type', { rawBody: 'abc' }],
      ['nothing', {}],
      ['a compressed form', { ...form(file()), headers: { ...FORM, 'content-encoding': 'gzip' } }],
    ])('as %s, for every issue', async (_, options) => {
      for (const id of [issue.id, UNKNOWN])
        await expectUploadRefused(send(editor, { id }, options), 415, 'unsupported_media_type');
      await expectNothingLeft(service);
    });

    it('for callers who cannot write to the issue or cannot see it', async () => {
      const hidden = await anIssue(service.owner, await aProject(service.owner, { visibility: 'members' }));
      await expectUploadRefused(send(anonymous(service), issue, form(file())), 401, 'unauthenticated');
      await expectUploadRefused(send(viewer, issue, form(file())), 403, 'forbidden');
      for (const id of [UNKNOWN, 'nonsense', hidden.id, hidden.key])
        for (const caller of [editor, agent])
          await expectUploadRefused(send(caller, { id }, form(file())), 404, 'not_found');
      await expectNothingLeft(service);
    });

    it('with an unknown parameter', async () => {
      const answer = editor.request('POST', `${attachmentsOf(issue)}?name=x`, form(file()));
      await expectUploadRefused(answer, 400, 'validation_failed', 'name');
    });

    it('before its body is read when the issue does not exist', async () => {
      const body = new PassThrough();
      body.write(partBytes(file('the beginning of something that never ends')));
      const answer = await editor.open('POST', attachmentsOf({ id: UNKNOWN }), {
        rawBody: body,
        headers: FORM,
      });
      expect(answer.statusCode).toBe(404);
      await answer.body.dump();
      body.destroy();
    });
  });

  describe('an upload whose issue its caller can no longer see when it ends', () => {
    it('is rejected as if the issue did not exist, and leaves nothing', async () => {
      const place = await aProject(service.owner, { visibility: 'members' });
      const setRole = (role: string | null) =>
        service.owner.put(`/api/projects/${place.id}/members`, { entries: [{ userId: editor.id, role }] });
      await setRole('Editor');
      const body = new PassThrough();
      const bytes = form(file(randomBytes(200_000))).rawBody as Buffer;
      body.write(bytes.subarray(0, 100_000));
      const before = await runningUploads(service);
      const answer = editor.request('POST', attachmentsOf(await anIssue(service.owner, place)), {
        rawBody: body,
        headers: FORM,
      });
      await untilOneMoreRuns(service, before);
      await setRole(null);
      body.end(bytes.subarray(100_000));
      await expectUploadRefused(answer, 404, 'not_found');
      await expectNothingLeft(service);
    });
  });

  describe('an upload that its client aborts', () => {
    it('leaves nothing', async () => {
      const abort = new AbortController();
      const body = new PassThrough();
      body.on('error', () => undefined);
      body.write(partBytes(file(randomBytes(200_000))).subarray(0, 150_000));
      const before = await runningUploads(service);
      const answer = editor.open('POST', attachmentsOf(issue), {
        rawBody: body,
        headers: FORM,
        signal: abort.signal,
      });
      const ended = answer.catch(() => 'broken off');
      await untilOneMoreRuns(service, before);
      abort.abort();
      expect(await ended).toBe('broken off');
      await untilNothingIsLeft(service);
      expect(errorsIn(service)).toEqual([]);
    });
  });

  describe('deleting an attachment', () => {
    it('by its uploader or any Editor removes row and bytes, and returns 404 the second time', async () => {
      for (const who of [agent, await asEditor(service)]) {
        const attachment = await anAttachment(agent, issue);
        expect(await storedFiles(service)).toContain(attachment.id);
        expect((await who.delete(pathOf(attachment))).status).toBe(204);
        expect(await storedFiles(service)).not.toContain(attachment.id);
        await expectUploadRefused(download(attachment), 404, 'not_found');
        await expectUploadRefused(who.delete(pathOf(attachment)), 404, 'not_found');
      }
      await expectNothingLeft(service);
    });

    it('is refused for everyone else', async () => {
      const attachment = await anAttachment(editor, issue);
      for (const other of [viewer, agent])
        await expectUploadRefused(other.delete(pathOf(attachment)), 403, 'forbidden');
      await expectUploadRefused(anonymous(service).delete(pathOf(attachment)), 401, 'unauthenticated');
      for (const id of [UNKNOWN, 'nonsense'])
        await expectUploadRefused(editor.delete(pathOf({ id })), 404, 'not_found');
      expect((await download(attachment)).status).toBe(200);
    });

    it('in two concurrent requests succeeds once', async () => {
      const attachment = await anAttachment(editor, issue);
      const answers = await Promise.all([
        editor.delete(pathOf(attachment)),
        editor.delete(pathOf(attachment)),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
      await expectNothingLeft(service);
    });
  });

  describe('deleting an issue', () => {
    const remove = (place: { id: string }) => editor.delete(`/api/projects/issues/${place.id}?confirm=true`);

    it('removes the bytes of its attachments and of no others', async () => {
      const place = await anIssue(editor, project);
      const gone = [await anAttachment(editor, place), await anAttachment(agent, place)];
      const other = await anAttachment(editor, issue);
      expect((await remove(place)).status).toBe(204);
      const files = await storedFiles(service);
      for (const { id } of gone) expect(files).not.toContain(id);
      expect((await download(other)).status).toBe(200);
      await expectNothingLeft(service);
    });

    it('while 20 files are uploaded to it leaves none of them', async () => {
      const place = await anIssue(editor, project);
      const uploads = Array.from({ length: 20 }, () => send(editor, place, form(file(randomBytes(100_000)))));
      const [deleted, ...answers] = await Promise.all([remove(place), ...uploads]);
      expect(deleted?.status).toBe(204);
      for (const { status } of answers) expect([201, 404]).toContain(status);
      await untilNothingIsLeft(service);
      expect(await service.sql('SELECT 1 FROM attachments WHERE issue_id = $1', [place.id])).toEqual([]);
    });

    it('during an upload to it makes the upload return 404', async () => {
      const place = await anIssue(editor, project);
      const body = new PassThrough();
      const bytes = form(file(randomBytes(200_000))).rawBody as Buffer;
      body.write(bytes.subarray(0, 100_000));
      const before = await runningUploads(service);
      const answer = editor.request('POST', attachmentsOf(place), { rawBody: body, headers: FORM });
      await untilOneMoreRuns(service, before);
      expect((await remove(place)).status).toBe(204);
      body.end(bytes.subarray(100_000));
      await expectUploadRefused(answer, 404, 'not_found');
      await expectNothingLeft(service);
    });
  });

  it('the attachments of an issue are listed oldest first, in pages, without their bytes', async () => {
    const place = await anIssue(editor, project);
    for (const filename of ['1', '2', '3']) await anAttachment(editor, place, file('abc', { filename }));
    const first = await viewer.get<Attachment[]>(`${attachmentsOf(place)}?limit=2&count=true`);
    expect(first.headers['x-total-count']).toBe('3');
    const second = await agent.get<Attachment[]>(/^<(.*)>/.exec(first.headers['link']!)![1]!);
    expect([...first.body, ...second.body].map(({ filename }) => filename)).toEqual(['1', '2', '3']);
  });
});
