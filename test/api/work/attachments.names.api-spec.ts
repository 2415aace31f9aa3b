import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'content-disposition';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { anAttachment, file, form, expectUploadRefused, send, type Attachment } from './attachments.forms.js';

const service = useService();
let editor: Caller;
let issue: Issue;
beforeAll(async () => {
  editor = await asEditor(service);
  issue = await anIssue(editor, await aProject(editor));
});

/** Each name as it is sent and as it is stored. */
const names: [string, string][] = [
  ['plain.txt', 'plain.txt'],
  ['two words.txt', 'two words.txt'],
  ['отчёт €🙂.txt', 'отчёт €🙂.txt'],
  ['日本語のファイル.pdf', '日本語のファイル.pdf'],
  ['café.txt', 'café.txt'],
  ['cafe\u0301.txt', 'cafe\u0301.txt'],
  ['שלום.doc', 'שלום.doc'],
  ['👩🏽‍🚀.png', '👩🏽‍🚀.png'],
  ['a"b.txt', 'a"b.txt'],
  ['"', '"'],
  [`a'b.txt`, `a'b.txt`],
  ['a;b.txt', 'a;b.txt'],
  ['a,b.txt', 'a,b.txt'],
  ['a=b.txt', 'a=b.txt'],
  ['a%41b.txt', 'a%41b.txt'],
  ['100%.txt', '100%.txt'],
  ['%2e%2e%2fpasswd', '%2e%2e%2fpasswd'],
  ['<script>alert(1)</script>.html', '<script>alert(1)<script>.html'],
  ['${HOME}`id`$(id)', '${HOME}`id`$(id)'],
  ['a|b&c>d*e?.txt', 'a|b&c>d*e?.txt'],
  ['../../../etc/passwd', '......etcpasswd'],
  ['..\\..\\windows\\win.ini', '....windowswin.ini'],
  ['/etc/shadow', 'etcshadow'],
  ['C:\\x.exe', 'C:x.exe'],
  ['file:///etc/passwd', 'file:etcpasswd'],
  ['..', 'file'],
  ['.', 'file'],
  ['/', 'file'],
  ['.hidden', '.hidden'],
  ['-rf', '-rf'],
  ['CON', 'CON'],
  ['a\r\nX-Evil: 1', 'aX-Evil: 1'],
  ['"\r\nSet-Cookie: a=b\r\n\r\n<html>', '"Set-Cookie: a=b<html>'],
  ['a\u0085\u009bb', 'ab'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['\u2066\u2069\u200Fx.txt', 'x.txt'],
  ['a\u2028b', 'ab'],
  ['   ', 'file'],
  ['\uFEFFbom.txt', 'bom.txt'],
  ['x'.repeat(300), 'x'.repeat(255)],
  [`${'🙂'.repeat(300)}.txt`, `${'🙂'.repeat(251)}.txt`],
  ["UTF-8''evil.txt", "UTF-8''evil.txt"],
];

describe('a file with the name', () => {
  it.each(names)(
    '%j is stored as %j and returned by that name in one valid header line',
    async (sent, kept) => {
      const attachment = await anAttachment(editor, issue, file('abc', { filename: sent }));
      expect(attachment.filename).toBe(kept);
      const { status, headers, text } = await editor.get(attachment.downloadUrl);
      expect({ status, text }).toEqual({ status: 200, text: 'abc' });
      expect(headers['content-disposition']).toMatch(/^attachment; filename[\x20-\x7e]+$/);
      expect(parse(headers['content-disposition']!)).toMatchObject({
        type: 'attachment',
        parameters: { filename: kept },
      });
      expect(headers).not.toHaveProperty('x-evil');
      expect(headers).not.toHaveProperty('set-cookie');
    },
  );

  it('of bytes that are not UTF-8 is accepted, with replacement characters', async () => {
    const head = Buffer.from(
      'Content-Disposition: form-data; name="file"; filename="a\xff\xfe.txt"',
      'latin1',
    ).toString('latin1');
    const { rawBody, headers } = form({ head: 'HEAD', bytes: 'abc' });
    const [before, after] = (rawBody as Buffer).toString('latin1').split('HEAD');
    const { status, body } = await send<Attachment>(editor, issue, {
      rawBody: Buffer.from(before + head + after, 'latin1'),
      headers,
    });
    expect(status).toBe(201);
    expect(body.filename).toBe('a\ufffd\ufffd.txt');
  });

  it('of raw control characters, which no header may contain, makes the form invalid', async () => {
    for (const filename of ['a\0b', 'a\u0001b', 'a\u001b[31mb', 'a\u007fb'])
      await expectUploadRefused(
        send(editor, issue, form(file('abc', { filename }))),
        400,
        'validation_failed',
      );
  });

  it('of an extended parameter is read by RFC 5987', async () => {
    const head = `Content-Disposition: form-data; name="file"; filename="x.txt"; filename*=UTF-8''%D0%BE%D1%82%2F..%0D%0A%00%1B%7F%E2%80%AE.txt`;
    const { body } = await send<Attachment>(editor, issue, form({ head, bytes: 'abc' }));
    expect(body.filename).toBe('от...txt');
  });
});
