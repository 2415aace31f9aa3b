import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue, type Issue, type Project } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { DurablePostgres } from '../../support/durable-postgres.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { refused } from '../../support/refusal.js';
import { startService, type Service } from '../../support/service.js';
import { hasSmallDisks, SmallDisk } from '../../support/small-disk.js';
import { expectAllDelivered } from '../../support/delivered-events.js';
import { until } from '../../support/until.js';
import { attachmentsOf, file, form } from '../work/attachments.forms.js';

const full = process.env['TEST_SIZE'] === 'full';
const ROUNDS = full ? 20 : 2;
const onASmallDisk = hasSmallDisks ? describe : describe.skip;
const atFullSize = hasSmallDisks && full ? describe : describe.skip;
/** The contract says 5 s; a busy machine may take longer. */
const WITHIN_MS = 9_000;
const full503 = {
  ...refused(503, 'storage_full'),
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
};
/** PostgreSQL itself ends when its write-ahead log has no room, and is away until it is started again. */
const away503 = {
  status: 503,
  body: { code: expect.stringMatching(/^(storage_full|unavailable)$/) },
};

onASmallDisk('a database without room', () => {
  let disk: SmallDisk;
  let postgres: DurablePostgres;
  let service: Service;
  let editor: Caller;
  let project: Project;
  let reader: ReconnectingReader | null = null;
  beforeAll(async () => {
    disk = SmallDisk.of(128);
    postgres = await DurablePostgres.start(disk.folder);
    service = await startService({ ownProcess: true, database: await postgres.createDatabase('small') });
    editor = await asEditor(service);
    project = await aProject(editor);
  });
  afterAll(async () => {
    await reader?.stop();
    await service?.remove();
    await postgres?.remove();
    disk?.remove();
  });

  it(
    'refuses writes with 503, is read all the while, and takes writes again by itself',
    async () => {
      const { pid } = service;
      reader = await ReconnectingReader.begin(editor.unchecked());
      const made: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const kept = await anIssue(editor, project, { description: `round ${round}` });
        await disk.fill();
        made.push(kept.id, ...(await writeUntilRefused(editor, project, full503)));
        expect(await editor.unchecked().get('/readyz')).toMatchObject({
          status: 503,
          body: { checks: { database: 'full' } },
        });
        expect(service.log).toMatch(/"cause":"53100 could not .*No space left on device/);
        expect((await editor.get<Issue>(`/api/projects/issues/${kept.id}`)).body).toEqual(kept);
        expect((await editor.get(`/api/projects/${project.id}/issues?limit=5`)).status).toBe(200);
        expect((await editor.get('/livez')).status).toBe(200);
        disk.clear();
        await until(async () => (await editor.get('/readyz')).status === 200, 20);
        made.push((await writtenAgain(editor, project)).id);
      }
      expect(service.pid).toBe(pid);
      const subjects = await expectAllDelivered(reader, service, project);
      expect(subjects('issue.created').toSorted()).toEqual(made.toSorted());
    },
    120_000 + ROUNDS * 30_000,
  );
});

atFullSize('a service whose whole disk is full: data folder, embedded database and log', () => {
  let disk: SmallDisk;
  let service: Service;
  beforeAll(async () => {
    disk = SmallDisk.of(400);
    service = await startService({
      settings: { DATABASE_URL: '', DATA_DIR: join(disk.folder, 'data') },
      logFile: join(disk.folder, 'service.log'),
    });
  });
  afterAll(async () => {
    await service?.remove();
    disk?.remove();
  });

  it(
    'lives, refuses what it can not keep, and goes on with all that it had when there is room',
    async () => {
      const { pid } = service;
      const editor = (await asEditor(service)).unchecked();
      const project = await aProject(editor);
      const made: Issue[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const issue = await anIssue(editor, project);
        made.push(issue);
        await disk.fill();
        expect(await upload(editor, issue)).toMatchObject(away503);
        for (const id of await writeUntilRefused(editor, project, away503)) made.push({ ...issue, id });
        expect((await editor.get('/livez')).status).toBe(200);
        disk.clear();
        await until(async () => (await editor.get('/readyz')).status === 200, 60);
        made.push(await writtenAgain(editor, project));
        expect((await upload(editor, issue)).status).toBe(201);
      }
      expect(service.pid).toBe(pid);
      for (const { id } of made) expect((await editor.get(`/api/projects/issues/${id}`)).status).toBe(200);
    },
    120_000 + ROUNDS * 90_000,
  );
});

/** Rows that still fit into half-empty pages are acknowledged, and must be kept. */
async function writeUntilRefused(editor: Caller, project: Project, refusal: object): Promise<string[]> {
  const made: string[] = [];
  for (;;) {
    const begun = Date.now();
    const answer = await write(editor, project);
    expect(Date.now() - begun).toBeLessThan(WITHIN_MS);
    if (answer.status !== 201) {
      expect(answer).toMatchObject(refusal);
      return made;
    }
    made.push(answer.body.id);
  }
}

function write(editor: Caller, project: Project): Promise<Answer<Issue>> {
  const body = { title: 'takes room', description: incompressible() };
  return editor.post<Issue>(`/api/projects/${project.id}/issues`, body);
}

/** The contract says 10 s; a busy machine may take longer. */
async function writtenAgain(editor: Caller, project: Project): Promise<Issue> {
  return until(async () => {
    const { status, body } = await write(editor, project);
    return status === 201 ? body : null;
  }, 30);
}

function upload(editor: Caller, issue: Issue): Promise<Answer> {
  return editor.request('POST', attachmentsOf(issue), form(file(incompressible())));
}

/** 60,000 characters, which PostgreSQL can't make small. */
function incompressible(): string {
  return randomBytes(45_000).toString('base64');
}
