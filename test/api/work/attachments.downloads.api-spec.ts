import { randomBytes } from 'node:crypto';
import { readFile, truncate, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../support/callers.js';
import {
  anAttachment,
  attachmentsOf,
  BOUNDARY,
  errorsIn,
  file,
  FORM,
  partBytes,
  expectUploadRefused,
  type Attachment,
} from './attachments.forms.js';
import { keptOf, STORES, useServiceWith } from './attachments.stores.js';

const MIB = 1_048_576;
const LARGE = 128 * MIB;
/** Each with 40 downloads. */
const RACES = process.env['TEST_SIZE'] === 'full' ? 20 : 3;
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

describe.each(STORES)('kept on %s:', (kind) => {
  const service = useServiceWith(kind, {
    settings: { ATTACHMENT_MAX_BYTES: String(256 * MIB) },
    ownProcess: true,
  });
  let editor: Caller;
  let viewer: Caller;
  let issue: Issue;
  beforeAll(async () => {
    [editor, viewer] = await Promise.all([asEditor(service), asViewer(service)]);
    issue = await anIssue(editor, await aProject(editor));
  });

  const get = ({ downloadUrl }: Attachment, headers = {}) => viewer.get(downloadUrl, { headers });
  const upload = (bytes: Buffer | string, type = 'application/octet-stream', filename = 'x.bin') =>
    anAttachment(editor, issue, file(bytes, { type, filename }));

  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const JPEG = Buffer.from(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////',
    'base64',
  );
  const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

  describe('a download', () => {
    it('has headers that keep it from being executed, sniffed, embedded or cached', async () => {
      const attachment = await upload('<script>alert(1)</script>', 'text/html', 'page.html');
      const { status, headers, text } = await get(attachment);
      expect({ status, text }).toEqual({ status: 200, text: '<script>alert(1)</script>' });
      expect(headers).toMatchObject({
        'content-type': 'text/html',
        'content-length': '25',
        'content-disposition': 'attachment; filename=page.html',
        etag: `"${attachment.sha256}"`,
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, no-store',
      });
    });

    it('is available to exactly those who see the issue', async () => {
      const attachment = await upload('abc');
      for (const caller of [viewer, await asAgent(service)])
        expect((await caller.get(attachment.downloadUrl)).text).toBe('abc');
      await expectUploadRefused(anonymous(service).get(attachment.downloadUrl), 401, 'unauthenticated');
      const hidden = await anIssue(service.owner, await aProject(service.owner, { visibility: 'members' }));
      const { id } = await anAttachment(service.owner, hidden);
      for (const other of [id, UNKNOWN, 'nonsense'])
        await expectUploadRefused(
          editor.get(`/api/projects/attachments/${other}/download`),
          404,
          'not_found',
        );
      await expectUploadRefused(editor.get(attachmentsOf(hidden)), 404, 'not_found');
    });

    it('of an attachment that is deleted concurrently returns all of it or 404', async () => {
      for (let round = 0; round < RACES; round += 1) {
        const attachment = await upload('abc');
        const before = Array.from({ length: 20 }, () => get(attachment));
        const deleted = editor.delete(`/api/projects/attachments/${attachment.id}`);
        const answers = await Promise.all([...before, ...Array.from({ length: 20 }, () => get(attachment))]);
        expect((await deleted).status).toBe(204);
        for (const { status, text } of answers)
          expect(status === 200 ? text : status).toBe(status === 200 ? 'abc' : 404);
      }
    });

    it('by HEAD returns the same headers and does not read the bytes', async () => {
      const attachment = await upload(randomBytes(5_000));
      await rm(keptOf(service).fileOf(attachment.id));
      const { status, headers, bytes } = await viewer.request('HEAD', attachment.downloadUrl);
      expect({ status, length: bytes.length, said: headers['content-length'] }).toEqual({
        status: 200,
        length: 0,
        said: '5000',
      });
    });

    it('that the caller already has returns 304', async () => {
      const attachment = await upload('abc');
      expect((await get(attachment, { 'if-none-match': `"${attachment.sha256}"` })).status).toBe(304);
      expect((await get(attachment, { 'if-none-match': '"other"' })).status).toBe(200);
    });
  });

  describe('an image', () => {
    it.each([
      ['image/png', PNG],
      ['image/gif', GIF],
      ['image/jpeg', JPEG],
      ['image/webp', WEBP],
    ])('whose bytes are %s is shown inline', async (type, bytes) => {
      const { headers } = await get(await upload(bytes, type, 'photo'));
      expect(headers).toMatchObject({
        'content-disposition': 'inline; filename=photo',
        'content-type': type,
        'x-content-type-options': 'nosniff',
      });
    });

    const page = '<html><script>alert(document.domain)</script></html>';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
    // inline-image.spec shows the other formats and mixtures.
    it.each<[string, Buffer | string, string]>([
      ['HTML that says it is a PNG', page, 'image/png'],
      ['HTML', page, 'text/html'],
      ['SVG', svg, 'image/svg+xml'],
      ['a PNG that says it is HTML', PNG, 'text/html'],
      ['a JPEG that says it is a PNG', JPEG, 'image/png'],
      ['GIF and HTML in one', `GIF87a${page}`, 'image/gif'],
      ['PNG and HTML in one', Buffer.concat([PNG, Buffer.from(page)]), 'image/png'],
      ['nothing', '', 'image/png'],
    ])('is not shown inline when it is %s', async (_, bytes, type) => {
      const { headers } = await get(await upload(bytes, type, 'photo.png'));
      expect(headers['content-disposition']).toBe('attachment; filename=photo.png');
    });
  });

  describe('a range', () => {
    const bytes = Buffer.from('0123456789');
    let attachment: Attachment;
    beforeAll(async () => {
      attachment = await upload(bytes);
    });

    // attachment-download.service.spec shows what else is a range, and what is none.
    it.each([
      ['bytes=0-3', 'bytes 0-3/10', '0123'],
      ['bytes=7-', 'bytes 7-9/10', '789'],
      ['bytes=-3', 'bytes 7-9/10', '789'],
      ['bytes=0-9', 'bytes 0-9/10', '0123456789'],
    ])('%s returns 206 with %s', async (range, contentRange, part) => {
      const { status, headers, text } = await get(attachment, { range });
      expect({ status, text }).toEqual({ status: 206, text: part });
      expect(headers).toMatchObject({
        'content-range': contentRange,
        'content-length': String(part.length),
        'content-type': 'application/octet-stream',
      });
    });

    it.each(['bytes=10-', 'bytes=-0'])(
      '%s is beyond the end and returns 416 with the size',
      async (range) => {
        const answer = await get(attachment, { range });
        expect(answer.status).toBe(416);
        expect(answer.headers['content-range']).toBe('bytes */10');
        expect(answer.body).toMatchObject({ code: 'range_not_satisfiable', status: 416 });
      },
    );

    it.each(['bytes=0-1,4-5', 'nonsense', '', `bytes=${'0-1,'.repeat(1_000)}0-1`])(
      '%s is not a single valid range and returns the whole file',
      async (range) => {
        const { status, text } = await get(attachment, { range });
        expect({ status, text }).toEqual({ status: 200, text: '0123456789' });
      },
    );

    it('with an If-Range of other bytes returns the whole file', async () => {
      const range = { range: 'bytes=0-3' };
      expect((await get(attachment, { ...range, 'if-range': `"${attachment.sha256}"` })).status).toBe(206);
      for (const condition of ['"other"', `W/"${attachment.sha256}"`, 'Sat, 21 Nov 2026 09:30:00 GMT'])
        expect((await get(attachment, { ...range, 'if-range': condition })).status).toBe(200);
    });

    it('of an empty file is beyond the end', async () => {
      expect((await get(await upload(''), { range: 'bytes=0-0' })).status).toBe(416);
    });
  });

  describe('lost bytes', () => {
    const pathOf = ({ id }: Attachment) => keptOf(service).fileOf(id);

    it('are 404 attachment_bytes_missing, without a path of the host', async () => {
      const attachment = await upload('abc');
      await rm(pathOf(attachment));
      const answer = await get(attachment);
      await expectUploadRefused(Promise.resolve(answer), 404, 'attachment_bytes_missing');
      expect(answer.text).not.toContain(service.dataDir);
    });

    it('break the connection when only a part is left, which is never returned as the whole', async () => {
      const attachment = await upload(randomBytes(5_000));
      await truncate(pathOf(attachment), 3_000);
      expect((await get(attachment, { range: 'bytes=0-2999' })).status).toBe(206);
      await expect(get(attachment)).rejects.toThrow();
      expect((await get(await upload('abc'))).text).toBe('abc');
    });
  });

  describe('a large file', () => {
    /** In bytes. */
    async function memory(): Promise<number> {
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
    }

    it('is uploaded and downloaded without being held in memory, however slowly its readers read', async () => {
      await upload(randomBytes(MIB));
      const before = await memory();
      const body = new PassThrough();
      const uploading = editor.request<Attachment>('POST', attachmentsOf(issue), {
        rawBody: body,
        headers: FORM,
      });
      const [head] = partBytes(file('CUT')).toString().split('CUT');
      body.write(head);
      const chunk = randomBytes(MIB);
      for (let sent = 0; sent < LARGE; sent += chunk.length)
        if (!body.write(chunk)) await new Promise((resolve) => body.once('drain', resolve));
      body.end(`\r\n--${BOUNDARY}--\r\n`);
      const { status, body: attachment } = await uploading;
      expect(status).toBe(201);
      expect(attachment.size).toBe(LARGE);
      const afterUpload = await memory();

      const readers = await Promise.all([1, 2, 3, 4].map(() => viewer.open('GET', attachment.downloadUrl)));
      for (const reader of readers) await new Promise((resolve) => reader.body.once('readable', resolve));
      const whileReading = await memory();
      const errors = errorsIn(service);
      for (const reader of readers) reader.body.on('error', () => undefined).destroy();
      expect({
        upload: afterUpload - before < LARGE / 2,
        download: whileReading - before < LARGE / 2,
      }).toEqual({ upload: true, download: true });
      expect((await get(await upload('abc'))).text).toBe('abc');
      expect(errorsIn(service)).toEqual(errors);
    });
  });
});
