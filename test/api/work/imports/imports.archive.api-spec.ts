import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pack } from 'tar-stream';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import type { Loose } from '../../../support/wire.js';
import { type Attachment, anAttachment, attachmentsOf, file } from '../attachments.forms.js';
import { keptOf } from '../attachments.stores.js';
import {
  canonical,
  ended,
  filesOf,
  type Imported,
  issuesIn,
  linesOf,
  report,
  send,
} from './import-requests.js';

const service = useService({ settings: { ATTACHMENT_MAX_BYTES: '2000000' }, ownProcess: true });
let admin: Caller;
beforeAll(async () => {
  admin = await asAdmin(service);
});

const archiveOf = async (project: Project) =>
  (await admin.get(`/api/projects/${project.id}/export?attachments=true`)).bytes;

/** Imports an archive and waits for the end. */
async function imported(project: Project, archive: Buffer): Promise<Imported> {
  const started = await send(admin, project, archive as unknown as string, '', 'application/x-tar');
  if (started.status !== 202) throw new Error(started.text);
  return ended(admin, started.body);
}

/** What attachments of two projects have in common: a file has an id of its own in each. */
async function attachedIn(archive: Buffer) {
  const files = await filesOf(archive);
  return linesOf(files.get('export.ndjson')!.toString())
    .filter(({ kind }) => kind === 'attachment')
    .map(({ externalId, ...line }) => ({
      ...line,
      bytes: files.get(`attachments/${String(externalId).slice(4)}`)!.toString('base64'),
    }));
}

const linesIn = async (archive: Buffer) =>
  canonical((await filesOf(archive)).get('export.ndjson')!.toString());

const listed = async (issue: { id: string }) => (await admin.get<Attachment[]>(attachmentsOf(issue))).body;

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

type Entry = readonly [name: string, bytes: Buffer | string];

/** A tar with these files in this order. */
async function tarOf(...entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of entries) archive.entry({ name }, Buffer.from(bytes));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
const HEAD = line({ kind: 'project', format: 'agent-work-platform', version: 1 });
const END = line({ kind: 'end' });
const ISSUE = line({ kind: 'issue', externalId: 'i', title: 'i', status: 'Open' });
const attachment = (id: string, bytes: string, more: object = {}) =>
  line({
    ...{ kind: 'attachment', externalId: `awp:${id}`, issue: 'i', filename: `${id}.txt` },
    ...{ contentType: 'text/plain', sha256: sha256(bytes), createdAt: '2026-01-02T03:04:05.678Z' },
    ...{ createdBy: { type: 'user', name: 'Ada' }, ...more },
  });
const LAST: Entry = ['end.json', '{}\n'];

describe('an archive', () => {
  it('makes an empty project equal to the exported one, bytes included, and nothing twice', async () => {
    const source = await aProject(admin);
    const [one, two] = [await anIssue(admin, source), await anIssue(admin, source)];
    const name = `${'ü'.repeat(300)} ../../x.txt`;
    await anAttachment(admin, two, file(randomBytes(1_500_000), { filename: name }));
    for (const bytes of ['', 'same', 'same', 'other'])
      await anAttachment(admin, one, file(bytes, { filename: 'same.txt' }));
    const before = await archiveOf(source);
    const copy = await aProject(admin);
    const done = await imported(copy, before);
    expect(done).toMatchObject({
      ...{ state: 'completed', total: 7, done: 7, created: 7, skipped: 0, errors: [], ignored: {} },
    });
    const after = await archiveOf(copy);
    expect(await linesIn(after)).toEqual(await linesIn(before));
    expect(await attachedIn(after)).toEqual(await attachedIn(before));
    const [first] = (await issuesIn(admin, copy)) as [Issue];
    expect((await listed(first))[0]).toMatchObject({ uploadedBy: { id: null, name: admin.name }, size: 0 });
    expect(await imported(copy, before)).toMatchObject({ done: 7, created: 0, skipped: 0 });
    expect(await attachedIn(await archiveOf(copy))).toEqual(await attachedIn(before));
    // Into its own project, too.
    expect(await imported(source, before)).toMatchObject({ created: 0, skipped: 0 });
    expect(await attachedIn(await archiveOf(source))).toEqual(await attachedIn(before));
    const events = `SELECT 1 FROM journal WHERE project_id = $1 AND type = 'attachment.created'`;
    expect(await service.sql(events, [copy.id])).toEqual([]);
  });

  it('keeps the rules of attachments, and reports what breaks them', async () => {
    const project = await aProject(admin);
    const large = 'x'.repeat(2_000_001);
    const archive = await tarOf(
      [
        'export.ndjson',
        HEAD +
          ISSUE +
          attachment('large', large) +
          attachment('wrong', 'right') +
          attachment('lost', 'lost') +
          attachment('stray', 'x', { issue: 'nowhere' }) +
          attachment('kept', 'kept', { contentType: 'no type', filename: '../../etc/\u202epasswd' }) +
          attachment('image', 'x', { contentType: 'image/png' }) +
          END,
      ],
      ['attachments/large', large],
      ['attachments/wrong', 'wrong'],
      ['attachments/stray', 'x'],
      ['attachments/kept', 'kept'],
      ['attachments/kept', 'kept again'],
      ['../../x', 'x'],
      [`attachments/${'y'.repeat(5_000)}`, 'y'],
      ['attachments/image', 'x'],
      LAST,
    );
    const done = await imported(project, archive);
    expect(done).toMatchObject({ state: 'completed', total: 7, done: 7, created: 3, skipped: 4 });
    expect(done.errors.map(({ line: at, message }) => [at, message])).toEqual([
      [3, 'attachment "large.txt" of i left out: A file may have at most 2000000 bytes.'],
      [4, 'attachment "wrong.txt" of i left out: its bytes are not those that the export names'],
      [6, 'attachment "stray.txt" of nowhere left out: "nowhere" is not in this project'],
      [0, '"attachments/kept" left out: no line names it'],
      [0, '"../../x" left out: no line names it'],
      [0, expect.stringMatching(/^"attachments\/y+/)],
      [5, 'attachment "lost.txt" of i left out: the archive has no bytes of it'],
    ]);
    const [{ id }] = (await issuesIn(admin, project)) as [Issue];
    expect(await listed({ id })).toMatchObject([
      {
        filename: '....etcpasswd',
        contentType: 'application/octet-stream',
        uploadedBy: { id: null, name: 'Ada' },
      },
      { filename: 'image.txt', contentType: 'image/png' },
    ]);
    await until(async () => (await service.sql('SELECT 1 FROM attachment_leftovers')).length === 0);
    const rows = await service.sql<{ id: string }>('SELECT id FROM attachments');
    expect((await keptOf(service).ids()).toSorted()).toEqual(rows.map((row) => row.id).toSorted());
  });

  it('is read in any order of its files, with names as tar writes them of a folder', async () => {
    const project = await aProject(admin);
    const lines = HEAD + ISSUE + attachment('a', 'a') + END;
    const archive = await tarOf(['./attachments/a', 'a'], LAST, ['./export.ndjson', lines]);
    expect(await imported(project, archive)).toMatchObject({ created: 2, skipped: 0, errors: [] });
  });

  it('that was cut is imported as far as it goes, and says so', async () => {
    const whole = await tarOf(
      ['export.ndjson', HEAD + ISSUE + attachment('a', 'a') + attachment('b', 'b'.repeat(5_000)) + END],
      ['attachments/a', 'a'],
      ['attachments/b', 'b'.repeat(5_000)],
      LAST,
    );
    const project = await aProject(admin);
    const done = await imported(project, whole.subarray(0, whole.indexOf('bbbb') + 1_000));
    expect(done).toMatchObject({ state: 'completed', created: 2, skipped: 1 });
    expect(done.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('the archive is damaged'),
      'the archive has no end.json: it is not whole',
      'attachment "b.txt" of i left out: the archive has no bytes of it',
    ]);
  });

  it.each([
    ['without lines', tarOf(['attachments/a', 'a'], LAST)],
    [
      'whose lines are cut',
      tarOf(['export.ndjson', HEAD + ISSUE.repeat(500)]).then((all) => all.subarray(0, 9_000)),
    ],
    ['of another kind', Promise.resolve(Buffer.from('\x1f\x8b\x08\0\0\0\0'.repeat(200), 'latin1'))],
  ])('%s fails as a whole, and nothing is written', async (_, archive) => {
    const project = await aProject(admin);
    expect(await imported(project, await archive)).toMatchObject({ state: 'failed', created: 0 });
    expect(await issuesIn(admin, project)).toEqual([]);
  });

  it('is a file of this service alone', async () => {
    const project = await aProject(admin);
    const archive = (await tarOf(LAST)) as unknown as string;
    expect((await send(admin, project, archive, '?format=beads', 'application/x-tar')).status).toBe(415);
  });

  it('writes an event for a file on an issue that was there before', async () => {
    const project = await aProject(admin);
    await imported(project, await tarOf(['export.ndjson', HEAD + ISSUE + END], LAST));
    const lines = HEAD + ISSUE + attachment('a', 'a') + END;
    await imported(project, await tarOf(['export.ndjson', lines], ['attachments/a', 'a'], LAST));
    const [{ id }] = (await issuesIn(admin, project)) as [Issue];
    const timeline = (await admin.get<Loose[]>(`/api/projects/issues/${id}/activity`)).body;
    expect(timeline.map(({ type }) => type)).toContain('attachment.created');
  });

  it('continues after kill -9 in the middle of its files, and makes each once', async () => {
    const project = await aProject(admin);
    const names = Array.from({ length: 300 }, (_, at) => `f${at}`);
    const archive = await tarOf(
      ['export.ndjson', HEAD + ISSUE + names.map((name) => attachment(name, name)).join('') + END],
      ...names.map((name) => [`attachments/${name}`, name] as const),
      LAST,
    );
    const { body: started } = await send(
      admin,
      project,
      archive as unknown as string,
      '',
      'application/x-tar',
    );
    await until(async () => (await report(admin, started)).done > 50);
    await service.kill();
    const [row] = await service.sql<{ state: string; pass: number }>(
      'SELECT state, pass FROM imports WHERE id = $1',
      [started.id],
    );
    expect(row).toEqual({ state: 'running', pass: 2 });
    await service.sql('UPDATE imports SET claimed_until = NULL');
    await service.start();
    expect(await ended(admin, started)).toMatchObject({ total: 301, done: 301, created: 301, skipped: 0 });
    const [{ id }] = (await issuesIn(admin, project)) as [Issue];
    const made = await service.sql<{ filename: string }>(
      'SELECT filename FROM attachments WHERE issue_id = $1 ORDER BY id',
      [id],
    );
    expect(made.map(({ filename }) => filename)).toEqual(names.map((name) => `${name}.txt`));
    await until(async () => (await service.sql('SELECT 1 FROM attachment_leftovers')).length === 0, 60);
  });
});
