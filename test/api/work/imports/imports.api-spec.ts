import { createHash } from 'node:crypto';
import { rm, truncate } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aComment,
  aGoal,
  aLabel,
  aLink,
  anAgent,
  anIssue,
  aProject,
  aSchedule,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { OneConnection } from '../../../support/database-of.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { WAITING_FOR_LOCKS } from '../../../support/waiting-for-locks.js';
import type { Loose } from '../../../support/wire.js';
import { pickUp, sendHeartbeat } from '../../gateway/heartbeat-requests.js';
import { anAttachment, file as aFile } from '../attachments.forms.js';
import { keptOf } from '../attachments.stores.js';
import { linkCode, pullUrl } from '../code/code-requests.js';
import { expectInvariants } from '../issues/invariants.js';
import { put } from '../issues/issue-requests.js';
import { nextOf } from '../issues/list-requests.js';
import {
  canonical,
  ended,
  exported,
  filesOf,
  imported,
  type Imported,
  issuesIn,
  linesOf,
  report,
  send,
} from './import-requests.js';

const service = useService();
let admin: Caller;
let agent: { id: string; name: string };
let source: Project;

beforeAll(async () => {
  admin = await asAdmin(service);
  agent = await anAgent(admin);
  source = await aWholeProject();
});

/** A project with every kind of object, states, and a tree over blockers. */
async function aWholeProject(): Promise<Project> {
  const project = await aProject(admin, { name: 'source' });
  const goal = await aGoal(admin, project, { title: 'Release', description: 'All of it.' });
  await aLabel(admin, project, { name: 'Needs design', color: 'violet', description: 'By a person.' });
  await aLabel(admin, project, { name: 'bug', color: 'red' });
  const fields = {
    goalId: goal.id,
    labels: ['bug', 'needs design'],
    priority: 'high',
    description: '# Why\n\nü',
  };
  const first = await anIssue(admin, project, { title: 'first', ...fields, assignedAgentId: agent.id });
  const second = await anIssue(admin, project, { title: 'second' });
  const parent = await anIssue(admin, project, { title: 'parent' });
  const done = await anIssue(admin, project, { title: 'done' });
  const closed = await anIssue(admin, project, { title: 'closed' });
  await aLink(admin, first, second);
  await aLink(admin, first, done, 'RelatedTo');
  await put(admin, second, { parentId: parent.id });
  await put(admin, closed, { parentId: parent.id, holdsParent: false });
  await aComment(admin, first, 'A comment.');
  await aComment(admin, done, 'Another\none.');
  await linkCode(admin, first, pullUrl(7));
  const template = { title: 'No. {{number}}', labels: ['BUG'], parent: parent.key, blockedBy: [first.id] };
  await aSchedule(admin, project, {
    ...{ name: 'nightly', timeZone: 'Europe/Berlin', policy: 'queue' },
    template: { ...template, goalId: goal.id, assignedAgentId: agent.id },
  });
  await put(admin, done, { status: 'Resolved' });
  await put(admin, closed, { status: 'Closed' });
  return project;
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
const HEAD = line({ kind: 'project', format: 'agent-work-platform', version: 1, key: 'X', name: 'x' });
const issue = (externalId: string, more: object = {}) =>
  line({ kind: 'issue', externalId, title: externalId, status: 'Open', ...more });
const blocks = (from: string, to: string) =>
  line({ kind: 'link', linkType: 'Blocks', source: from, target: to });
const END = line({ kind: 'end' });
const child = (of: string, part: string) =>
  line({ kind: 'link', linkType: 'Child', source: part, target: of });

describe('an export', () => {
  it('has every kind of object in an order in which none names a later one, and says that it is whole', async () => {
    const text = await exported(admin, source);
    const lines = linesOf(text);
    expect(lines[0]).toMatchObject({ kind: 'project', key: source.key, version: 1 });
    expect(lines.at(-1)).toEqual({
      kind: 'end',
      written: { goal: 1, label: 2, issue: 5, link: 4, comment: 2, attachment: 0, code: 1, schedule: 1 },
      leftOut: { linksToOtherProjects: 0, blockersOfSchedules: 0 },
    });
    const seen = new Set<unknown>();
    for (const { externalId, goal, source: from, target, issue: on } of lines) {
      for (const named of [goal, from, target, on]) if (named) expect(seen).toContain(named);
      if (externalId) seen.add(externalId);
    }
    expect(text).not.toContain('@example.com');
  });

  it('leaves out links to other projects, and counts them', async () => {
    const project = await aProject(admin);
    const other = await aProject(admin);
    const theirs = await anIssue(admin, other, { title: 'hidden' });
    const mine = await anIssue(admin, project);
    await aLink(admin, theirs, mine);
    await aLink(admin, mine, theirs, 'RelatedTo');
    await aSchedule(admin, project, { template: { title: 'x', blockedBy: [theirs.key, mine.key] } });
    const text = await exported(admin, project);
    expect(linesOf(text).at(-1)).toMatchObject({
      written: { link: 0 },
      leftOut: { linksToOtherProjects: 2, blockersOfSchedules: 1 },
    });
    expect(text).not.toContain('hidden');
    expect(text).not.toContain(theirs.id);
    expect(text).not.toContain(theirs.key);
  });

  it('has the bytes of its attachments in a tar, and says which were deleted meanwhile', async () => {
    const project = await aProject(admin);
    const owner = await anIssue(admin, project);
    const [kept, empty, gone] = [
      await anAttachment(admin, owner, aFile(Buffer.alloc(200_000, 'k'))),
      await anAttachment(admin, owner, aFile('')),
      await anAttachment(admin, owner, aFile('gone')),
    ];
    const lines = await exported(admin, project);
    await rm(keptOf(service).fileOf(gone.id));
    const answer = await admin.get(`/api/projects/${project.id}/export?attachments=true`);
    expect(answer.headers['content-type']).toBe('application/x-tar');
    const files = await filesOf(answer.bytes);
    expect([...files.keys()]).toEqual([
      'export.ndjson',
      `attachments/${kept.id}`,
      `attachments/${empty.id}`,
      'end.json',
    ]);
    expect(files.get('export.ndjson')!.toString()).toBe(lines);
    expect(files.get(`attachments/${kept.id}`)!.equals(Buffer.alloc(200_000, 'k'))).toBe(true);
    expect(JSON.parse(files.get('end.json')!.toString())).toEqual({ files: 2, missing: [gone.id] });
  });

  it('cuts an archive whose attachment has fewer bytes than are known of it, and goes on', async () => {
    const project = await aProject(admin);
    const attachment = await anAttachment(admin, await anIssue(admin, project), aFile(Buffer.alloc(200_000)));
    await truncate(keptOf(service).fileOf(attachment.id), 100_000);
    const path = `/api/projects/${project.id}/export?attachments=true`;
    await expect(admin.get(path)).rejects.toThrow();
    expect(linesOf(await exported(admin, project)).at(-1)).toMatchObject({ kind: 'end' });
  });

  it('gives the place of an archive to others when its reader leaves in the middle', async () => {
    const project = await aProject(admin);
    const owner = await anIssue(admin, project);
    for (let more = 0; more < 3; more += 1)
      await anAttachment(admin, owner, aFile(Buffer.alloc(9_000_000, 'k')));
    const path = `/api/projects/${project.id}/export?attachments=true`;
    const read = () =>
      fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${admin.key}` } });
    const both = [await read(), await read()];
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await admin.get(path)).toMatchObject(refused(429, 'rate_limited'));
    for (const { body } of both) await body!.cancel();
    await until(async () => (await admin.get(path)).status === 200);
  });
});

describe('an import', () => {
  it('makes an empty project equal to the exported one', async () => {
    const before = await exported(admin, source);
    const copy = await aProject(admin);
    const done = await imported(admin, copy, before);
    expect(done).toMatchObject({
      state: 'completed',
      skipped: 0,
      errors: [],
      total: 16,
      done: 16,
      created: 16,
      ignored: { 'enabled of a schedule': 1 },
    });
    expect(canonical(await exported(admin, copy))).toEqual(canonical(before));
    const [first, second, parent] = (await issuesIn(admin, copy)) as [Issue, Issue, Issue];
    expect(first).toMatchObject({
      assignedAgentId: agent.id,
      status: 'Open',
      createdBy: { id: null, name: admin.name },
    });
    expect(first).toMatchObject({
      externalId: linesOf(before).find(({ title }) => title === 'first')!['externalId'],
    });
    expect(Date.parse(first.importedAt!)).toBeGreaterThan(Date.parse(first.createdAt));
    expect((await issuesIn(admin, source))[0]).toMatchObject({ externalId: null, importedAt: null });
    const schedules = await admin.get(`/api/projects/${copy.id}/schedules`);
    expect(schedules.body).toMatchObject([
      {
        ...{ name: 'nightly', enabled: false, editedBy: { id: admin.id } },
        template: { assignedAgentId: agent.id, labels: ['BUG'], parent: parent.id, blockedBy: [first.id] },
      },
    ]);
    expect([second.status, parent.status]).toEqual(['WaitingOnDependency', 'WaitingOnDependency']);
    await expectInvariants(service);
    await put(admin, first, { status: 'Resolved' });
    await put(admin, second, { status: 'Resolved' });
    expect((await issuesIn(admin, copy))[2]).toMatchObject({ status: 'Open' });
  });

  it('writes one event at its begin and one at its end in place of one per object', async () => {
    const copy = await aProject(admin);
    const { id } = await imported(admin, copy, await exported(admin, source));
    const rows = await service.sql<{ type: string; subject_id: string }>(
      'SELECT type, subject_id FROM journal WHERE project_id = $1 ORDER BY position',
      [copy.id],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'project.created',
      'import.started',
      'goal.created',
      'label.created',
      'label.created',
      'schedule.created',
      'import.completed',
    ]);
    expect(rows.at(-1)!.subject_id).toBe(id);
  });

  it('changes what has changed at its source, as its person, and nothing else, when it comes again', async () => {
    const project = await aProject(admin);
    const file = (title: string, status = 'Open') =>
      HEAD + issue('x:1', { title, status, labels: ['a'] }) + issue('x:2') + blocks('x:1', 'x:2');
    await imported(admin, project, file('old'));
    const [one, two] = (await issuesIn(admin, project)) as [Issue, Issue];
    await put(admin, two, { title: 'mine' });
    expect(await imported(admin, project, file('old'))).toMatchObject({ created: 0, updated: 0, done: 3 });
    expect(await imported(admin, project, file('new', 'Resolved'))).toMatchObject({ created: 0, updated: 1 });
    const after = await issuesIn(admin, project);
    expect(after).toMatchObject([
      { id: one.id, title: 'new', status: 'Resolved', labels: [{ name: 'a' }] },
      { id: two.id, title: 'mine', status: 'Open' },
    ]);
    const timeline = (await admin.get<Loose[]>(`/api/projects/issues/${one.id}/activity`)).body;
    expect(timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['issue.updated', 'issue.status_changed']),
    );
    expect(timeline[0]).toMatchObject({ actor: { id: admin.id } });
    expect(await imported(admin, project, file('new', 'Open'))).toMatchObject({ updated: 1 });
    expect((await issuesIn(admin, project))[0]).toMatchObject({ status: 'Resolved' });
    await expectInvariants(service);
  });

  it('leaves out the link that closes a circle, of blockers, of parents and of both, and says so', async () => {
    const project = await aProject(admin);
    const file =
      HEAD +
      ['a', 'b', 'c', 'd'].map((name) => issue(name)).join('') +
      blocks('a', 'b') +
      blocks('b', 'c') +
      blocks('c', 'a') +
      child('a', 'd') +
      child('d', 'a') +
      blocks('c', 'd') +
      blocks('c', 'nowhere') +
      END;
    const done = await imported(admin, project, file);
    expect(done).toMatchObject({ state: 'completed', total: 11, done: 11, created: 7, skipped: 4 });
    expect(done.errors.map((error) => error.line)).toEqual([8, 10, 11, 12]);
    expect(done.errors[0]!.message).toContain('Blocks from c to a left out: This link would close a cycle');
    expect(done.errors[3]!.message).toContain('"nowhere" is not in this project');
    await expectInvariants(service);
  });

  it('reports what it cannot read or store, and imports the rest', async () => {
    const project = await aProject(admin);
    const done = await imported(
      admin,
      project,
      `${HEAD}{"kind":\n${issue('long', { title: 'ä'.repeat(600), assignee: 'No One' })}${line({ kind: 'x' })}${END}`,
    );
    expect(done).toMatchObject({
      state: 'completed',
      created: 1,
      skipped: 2,
      errors: [
        { line: 2, message: 'left out: the record is not valid JSON' },
        { line: 3, message: 'title cut to 500 characters' },
        { line: 4, message: 'left out: the record has the unknown kind "x"' },
      ],
      ignored: { 'assignee No One': 1 },
    });
    expect(await imported(admin, project, 'not json')).toMatchObject({ state: 'failed', created: 0 });
  });

  it('gives work that an agent had begun elsewhere to the agent as open work, and only with its blockers', async () => {
    const project = await aProject(admin);
    const begun = { status: 'InProgress', agent: agent.name };
    await imported(admin, project, HEAD + issue('p', begun) + issue('q', begun) + blocks('p', 'q'));
    expect(await issuesIn(admin, project)).toMatchObject([
      { status: 'Open', assignedAgentId: agent.id },
      { status: 'WaitingOnDependency', assignedAgentId: agent.id },
    ]);
    await expectInvariants(service);
  });

  it('gives an issue to an agent once, takes the last of two lines for one issue, and makes a deleted one again', async () => {
    const project = await aProject(admin);
    const of = (title: string) => issue('a', { title, agent: agent.name });
    await imported(admin, project, HEAD + of('one') + of('two') + issue('b'));
    const [first, second] = (await issuesIn(admin, project)) as [Issue, Issue];
    expect(first).toMatchObject({ title: 'two', assignedAgentId: agent.id });
    await put(admin, first, { assignedAgentId: null });
    const same = await imported(admin, project, HEAD + of('one') + of('two') + issue('b'));
    expect(same).toMatchObject({ created: 0, updated: 0 });
    await admin.delete(`/api/projects/issues/${second.id}?confirm=true`);
    expect(await imported(admin, project, HEAD + of('three') + issue('b'))).toMatchObject({
      created: 1,
      updated: 1,
    });
    expect(await issuesIn(admin, project)).toMatchObject([
      { id: first.id, title: 'three', assignedAgentId: null },
      { title: 'b' },
    ]);
  });

  it('ends what has ended at its source in any order of the file, and what still cannot end as soon as it can', async () => {
    const project = await aProject(admin);
    const names = ['p', 'b', 'a', 'c', 'x', 'y'];
    const edges = blocks('b', 'c') + blocks('a', 'b') + child('p', 'a') + blocks('x', 'y');
    const file = (of: (name: string) => object) =>
      HEAD + names.map((name) => issue(name, of(name))).join('') + edges + END;
    await imported(
      admin,
      project,
      file(() => ({})),
    );
    const closed = (name: string) => ({ title: `${name}!`, status: name === 'y' ? 'Open' : 'Closed' });
    const done = await imported(admin, project, file(closed));
    expect(done).toMatchObject({ state: 'completed', updated: 6, skipped: 0 });
    expect(done.errors).toEqual([
      { line: 6, message: expect.stringContaining('x has not ended: 1 issue(s)') },
    ]);
    const states = async () =>
      (await issuesIn(admin, project)).map(({ title, status }) => `${title} ${status}`);
    const rest = ['p! Closed', 'b! Closed', 'a! Closed', 'c! Closed'];
    expect(await states()).toEqual([...rest, 'x! Open', 'y! WaitingOnDependency']);
    await expectInvariants(service);
    const [y] = (await issuesIn(admin, project)).slice(-1) as [Issue];
    await put(admin, y, { status: 'Closed' });
    expect(await imported(admin, project, file(closed))).toMatchObject({ updated: 1, errors: [] });
    expect(await states()).toEqual([...rest, 'x! Closed', 'y! Closed']);
    expect(await imported(admin, project, file(closed))).toMatchObject({ updated: 0, errors: [] });
  });

  it('leaves a parent closed that its source has closed with an open part', async () => {
    const project = await aProject(admin);
    const file = HEAD + issue('p', { status: 'Closed' }) + issue('c') + child('p', 'c');
    expect(await imported(admin, project, file)).toMatchObject({ created: 3, skipped: 0 });
    expect(await issuesIn(admin, project)).toMatchObject([
      { status: 'Closed', children: { total: 1, resolved: 0 } },
      { status: 'Open' },
    ]);
    await expectInvariants(service);
  });

  it('leaves a part where a person has put it, until its source says something else', async () => {
    const project = await aProject(admin);
    const of = (...lines: string[]) =>
      HEAD + ['a', 'b', 'c'].map((name) => issue(name)).join('') + lines.join('');
    const again = (...lines: string[]) => imported(admin, project, of(...lines));
    await again(child('a', 'c'));
    const [a, b, c] = (await issuesIn(admin, project)) as [Issue, Issue, Issue];
    const parent = async () => (await issuesIn(admin, project)).find(({ id }) => id === c.id)!.parentId;
    await put(admin, c, { parentId: b.id });
    expect(await again(child('a', 'c'))).toMatchObject({ created: 0, skipped: 0, done: 4 });
    expect(await parent()).toBe(b.id);
    await put(admin, c, { title: 'mine', parentId: a.id, holdsParent: false });
    await imported(admin, project, of(child('a', 'c')).replace('"title":"c"', '"title":"new"'));
    expect((await issuesIn(admin, project))[2]).toMatchObject({ title: 'new', holdsParent: false });
    // Two parents, as Beads may have: the last one counts.
    expect(await again(child('a', 'c'), child('b', 'c'))).toMatchObject({ created: 2 });
    await put(admin, c, { parentId: null });
    expect(await again(child('a', 'c'), child('b', 'c'))).toMatchObject({ created: 0 });
    expect(await parent()).toBeNull();
    await admin.delete(`/api/projects/issues/${b.id}?confirm=true`);
    await again(child('b', 'c'));
    expect(await parent()).toBe((await issuesIn(admin, project)).find(({ title }) => title === 'b')!.id);
    await expectInvariants(service);
  });

  it('ends the lease of an agent that has begun with an issue before its blocker came, as a link of a person does', async () => {
    const worker = await asAgent(service);
    const project = await aProject(admin);
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('SELECT pg_advisory_xact_lock(727002)');
    const { body: started } = await send(admin, project, HEAD + issue('a') + issue('b') + blocks('a', 'b'));
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length > 0);
    const [, second] = (await issuesIn(admin, project)) as [Issue, Issue];
    await put(admin, second, { assignedAgentId: worker.id });
    const held = await pickUp(worker, second);
    await holder.rows('COMMIT');
    await holder.end();
    expect(await ended(admin, started)).toMatchObject({ state: 'completed', created: 3, skipped: 0 });
    expect((await issuesIn(admin, project))[1]).toMatchObject({ status: 'WaitingOnDependency' });
    expect(await sendHeartbeat(worker, { leases: [held] })).toMatchObject({
      stop: [{ issueId: second.id, reason: 'waiting' }],
    });
    const timeline = (await admin.get<Loose[]>(`/api/projects/issues/${second.id}/activity`)).body;
    expect(timeline.map(({ type }) => type)).toContain('link.created');
    await expectInvariants(service);
  });

  it('rewrites a comment that has changed at its source, and makes none twice', async () => {
    const project = await aProject(admin);
    const file = (content: string) =>
      HEAD + issue('a') + line({ kind: 'comment', externalId: 'c', issue: 'a', content });
    await imported(admin, project, file('old'));
    const [{ id }] = (await issuesIn(admin, project)) as [Issue];
    const comments = async () =>
      (await admin.get<Loose[]>(`/api/projects/issues/${id}/comments`)).body.map(({ content }) => content);
    expect(await imported(admin, project, file('old'))).toMatchObject({ created: 0, updated: 0 });
    expect(await comments()).toEqual(['old']);
    await service.sql(`UPDATE comments SET content = 'mine' WHERE issue_id = $1`, [id]);
    expect(await imported(admin, project, file('old'))).toMatchObject({ created: 0, updated: 0 });
    expect(await comments()).toEqual(['mine']);
    expect(await imported(admin, project, file('new'))).toMatchObject({ created: 0, updated: 1 });
    expect(await comments()).toEqual(['new']);
  });

  it('finds the comments of Jira that version 0.11.0 has named by their place, and makes none twice', async () => {
    const project = await aProject(admin);
    const file =
      'Issue key,Summary,Comment,Comment\nJ-1,x,22/Jan/24 4:00 PM;ann;one,22/Jan/24 5:00 PM;bob;two\n';
    const again = async () => {
      const { body } = await send(admin, project, file, '?format=jira', 'text/csv');
      return ended(admin, body);
    };
    expect(await again()).toMatchObject({ created: 3 });
    for (const [index, [name, content, hour]] of [
      ['ann', 'one', 16],
      ['bob', 'two', 17],
    ].entries()) {
      const createdAt = `2024-01-22T${hour}:00:00.000Z`;
      const externalId = `jira:J-1/comments/${index + 1}`;
      const createdBy = { type: 'user', name };
      const times = { createdAt, updatedAt: createdAt };
      const item = { kind: 'comment', externalId, issue: 'jira:J-1', content, createdBy, ...times };
      const digest = createHash('sha256').update(JSON.stringify(item)).digest('base64url');
      const renamed = await service.sql(
        `UPDATE imported_objects SET external_id = $2, digest = $3 WHERE project_id = $1 AND external_id LIKE $4 RETURNING 1`,
        [project.id, externalId, digest, `%;${name};1`],
      );
      expect(renamed).toHaveLength(1);
    }
    expect(await again()).toMatchObject({ created: 0, updated: 0, skipped: 0 });
    const names = `SELECT 1 FROM imported_objects WHERE project_id = $1 AND external_id LIKE '%;1'`;
    expect(await service.sql(names, [project.id])).toHaveLength(2);
  });

  it('writes nothing more once another process has taken it over', async () => {
    const project = await aProject(admin);
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE', [project.id]);
    const { body: started } = await send(admin, project, HEAD + issue('a') + issue('b'));
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length > 0);
    const claimed = `UPDATE imports SET claim = gen_random_uuid(), claimed_until = now() + interval '1 hour' WHERE id = $1`;
    await service.sql(claimed, [started.id]);
    await holder.rows('COMMIT');
    await holder.end();
    // The process goes on to other imports when it has given this one up.
    await imported(admin, await aProject(admin), HEAD + issue('c'));
    expect(await issuesIn(admin, project)).toEqual([]);
    await service.sql('UPDATE imports SET claimed_until = NULL WHERE id = $1', [started.id]);
    expect(await ended(admin, started)).toMatchObject({ state: 'completed', created: 2 });
    expect(await issuesIn(admin, project)).toHaveLength(2);
  });

  it('links issues that were there before as a person would, and ends with its person', async () => {
    const project = await aProject(admin);
    await imported(admin, project, HEAD + issue('old'));
    const [old] = (await issuesIn(admin, project)) as [Issue];
    await imported(admin, project, HEAD + issue('old') + issue('new') + blocks('new', 'old'));
    expect((await issuesIn(admin, project))[0]).toMatchObject({ status: 'WaitingOnDependency' });
    const timeline = (await admin.get<Loose[]>(`/api/projects/issues/${old.id}/activity`)).body;
    expect(timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['link.created', 'issue.status_changed']),
    );
    await expectInvariants(service);
  });
});

describe('the import routes', () => {
  it('list the imports of a project without their reports, newest first and by pages', async () => {
    const project = await aProject(admin);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await imported(admin, project, HEAD + issue(name))).id);
    const path = `/api/projects/${project.id}/imports`;
    const first = await admin.get<Imported[]>(`${path}?limit=2`);
    expect(first.body.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const { errors: _, ignored: __, ...listed } = await report(admin, first.body[0]!);
    expect(first.body[0]).toEqual(listed);
    expect((await admin.get<Imported[]>(nextOf(first)!)).body.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await (await asEditor(service)).get(path)).toMatchObject(refused(403, 'forbidden'));
  });

  it('reject what is no file, another media type, a compressed body, an unknown format and an Idempotency-Key', async () => {
    const project = await aProject(admin);
    expect(await send(admin, project, HEAD, '', 'text/html')).toMatchObject(
      refused(415, 'unsupported_media_type'),
    );
    expect(await send(admin, project, '')).toMatchObject({ status: 400 });
    expect(await send(admin, project, HEAD, '?format=excel')).toMatchObject(
      refused(400, 'validation_failed', 'format'),
    );
    const headers = { 'content-type': 'application/x-ndjson' };
    const path = `/api/projects/${project.id}/imports`;
    expect(
      await admin.post(path, undefined, { rawBody: HEAD, headers: { ...headers, 'idempotency-key': 'x' } }),
    ).toMatchObject({ status: 400 });
    expect(
      await admin.post(path, undefined, {
        rawBody: HEAD,
        headers: { ...headers, 'content-encoding': 'gzip' },
      }),
    ).toMatchObject({ status: 415 });
    expect(await service.sql('SELECT 1 FROM imports WHERE project_id = $1', [project.id])).toEqual([]);
  });

  it('refuse a sixth import that has not ended, and a third export at once', async () => {
    const project = await aProject(admin);
    await service.sql(
      `INSERT INTO imports (id, project_id, format, started_by_id, started_by_name, claimed_until)
       SELECT gen_random_uuid(), $1, 'awp', $2, 'x', now() + interval '1 hour' FROM generate_series(1, 5)`,
      [project.id, admin.id],
    );
    expect(await send(admin, project, HEAD)).toMatchObject(refused(429, 'rate_limited'));
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('LOCK TABLE goals IN ACCESS EXCLUSIVE MODE');
    const written = [exported(admin, project), exported(admin, project)];
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length >= 2);
    expect(await admin.get(`/api/projects/${project.id}/export`)).toMatchObject(refused(429, 'rate_limited'));
    await holder.rows('ROLLBACK');
    await holder.end();
    for (const text of await Promise.all(written))
      expect(linesOf(text).at(-1)).toMatchObject({ kind: 'end' });
  });

  it('are for Admins of the project, and an export for its Editors', async () => {
    const [editor, viewer] = [await asEditor(service), await asViewer(service)];
    expect(await send(editor, source, HEAD)).toMatchObject(refused(403, 'forbidden'));
    expect(await viewer.get(`/api/projects/${source.id}/export`)).toMatchObject(refused(403, 'forbidden'));
    expect((await editor.get(`/api/projects/${source.id}/export`)).status).toBe(200);
    const mine = await send(admin, await aProject(admin), HEAD);
    expect(await editor.get(`/api/projects/${mine.body.projectId}/imports/${mine.body.id}`)).toMatchObject({
      status: 403,
    });
    expect(await admin.get(`/api/projects/${source.id}/imports/${mine.body.id}`)).toMatchObject({
      status: 404,
    });
    await ended(admin, mine.body);
  });

  it('end an import whose person may not write there any more', async () => {
    const leaving = await asAdmin(service);
    const project = await aProject(admin);
    const started = await service.sql<{ id: string }>(
      `INSERT INTO imports (id, project_id, format, started_by_id, started_by_name, claimed_until)
       VALUES (gen_random_uuid(), $1, 'awp', $2, 'x', now() + interval '1 hour') RETURNING id`,
      [project.id, leaving.id],
    );
    expect((await admin.delete(`/api/users/${leaving.id}`)).status).toBe(204);
    await service.sql('UPDATE imports SET claimed_until = NULL WHERE id = $1', [started[0]!.id]);
    const at = { projectId: project.id, id: started[0]!.id } as Parameters<typeof report>[1];
    expect(await ended(admin, at)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('disabled'),
    });
  });
});
