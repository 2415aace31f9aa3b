import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AttentionResponse } from '../../../src/gateway/attention/attention.response.js';
import {
  aLabel,
  anIssue,
  aProject,
  aSchedule,
  type Issue,
  type Project,
  type Schedule,
} from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asUser, asViewer } from '../../support/callers.js';
import { OneConnection } from '../../support/database-of.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WAITING_FOR_LOCKS } from '../../support/waiting-for-locks.js';
import type { Loose, Wire } from '../../support/wire.js';
import { expectInvariants } from './issues/invariants.js';
import { expectInvalidPaths, expectRefused, put, read } from './issues/issue-requests.js';
import { nextOf } from './issues/list-requests.js';

const service = useService();
let editor: Caller;
let viewer: Caller;
let agent: Caller;
let project: Project;
beforeAll(async () => {
  [editor, viewer, agent] = await Promise.all([asEditor(service), asViewer(service), asAgent(service)]);
  project = await aProject(editor);
});

const schedulesOf = ({ id }: { id: string }) => `/api/projects/${id}/schedules`;
const pathOf = ({ id }: { id: string }) => `/api/projects/schedules/${id}`;
const readSchedule = async (schedule: { id: string }) => (await editor.get<Schedule>(pathOf(schedule))).body;
/** Its own times are far away, so that only the test makes it due. */
const yearly = { cron: '0 0 1 1 *', template: { title: '{{number}} at {{time}}' } };
const aBody = (fields: object = {}) => ({
  name: 'x',
  cron: '0 9 * * *',
  template: { title: 'x' },
  ...fields,
});
const issuesIn = async (place: { id: string }) =>
  (await editor.get<Issue[]>(`/api/projects/${place.id}/issues?sort=createdAt`)).body;
const journalOf = ({ id }: { id: string }, type?: string) =>
  service.sql<{ type: string; data: Loose; actor_type: string; actor_id: string; actor_name: string }>(
    `SELECT type, data, actor_type, actor_id, actor_name FROM journal
     WHERE subject_id = $1 AND type = coalesce($2, type) ORDER BY position`,
    [id, type ?? null],
  );

/** Moves the next time of schedules into the past, as if it had come just now and nothing had been due in this minute. */
const makeDue = (schedules: { id: string }[], minutesAgo = 0) =>
  service.sql(
    `WITH forgotten AS (DELETE FROM schedule_runs WHERE schedule_id = ANY($1::uuid[]))
     UPDATE schedules SET next_at = date_trunc('minute', now()) - make_interval(mins => $2::int) WHERE id = ANY($1::uuid[])`,
    [schedules.map(({ id }) => id), minutesAgo],
  );

/** Waits until no process has anything to do for these schedules. */
const untilDone = (...schedules: { id: string }[]) =>
  until(async () => {
    const due = await service.sql(`SELECT 1 FROM schedules WHERE id = ANY($1::uuid[]) AND next_at <= now()`, [
      schedules.map(({ id }) => id),
    ]);
    return due.length === 0;
  });

async function run(...schedules: { id: string }[]): Promise<void> {
  await makeDue(schedules);
  await untilDone(...schedules);
}

describe('making a schedule', () => {
  it('returns it with its next time, and everyone who sees the project reads it', async () => {
    const { status, body, headers } = await editor.post<Schedule>(schedulesOf(project), {
      name: ' Morning report ',
      cron: ' 0  9 * * mon-fri ',
      timeZone: 'Europe/Berlin',
      template: { title: 'Report of {{date}}', priority: 'high' },
    });
    expect(status).toBe(201);
    expect(headers['location']).toBe(pathOf(body));
    expect(body).toEqual({
      id: expect.any(String),
      projectId: project.id,
      name: 'Morning report',
      cron: '0 9 * * mon-fri',
      timeZone: 'Europe/Berlin',
      template: {
        title: 'Report of {{date}}',
        description: '',
        assignedAgentId: null,
        assigneeUserId: null,
        goalId: null,
        labels: [],
        priority: 'high',
        parent: null,
        holdsParent: true,
        blockedBy: [],
      },
      policy: 'skip',
      enabled: true,
      nextAt: expect.any(String),
      lastAt: null,
      lastIssueId: null,
      failures: 0,
      lastFailure: null,
      editedBy: { id: editor.id, name: editor.name },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const [next] = await service.sql(
      `SELECT to_char($1::timestamptz AT TIME ZONE 'Europe/Berlin', 'HH24:MI:SS.MS') AS time,
         extract(isodow FROM $1::timestamptz AT TIME ZONE 'Europe/Berlin') < 6 AS workday,
         $1::timestamptz > now() AND $1::timestamptz < now() + interval '73 hours' AS near`,
      [body.nextAt],
    );
    expect(next).toEqual({ time: '09:00:00.000', workday: true, near: true });
    expect((await viewer.get(pathOf(body))).body).toEqual(body);
    expect((await viewer.get<Schedule[]>(schedulesOf({ id: project.key }))).body).toContainEqual(body);
    expect(await journalOf(body)).toMatchObject([
      { type: 'schedule.created', data: { name: 'Morning report', enabled: true }, actor_id: editor.id },
    ]);
  });

  it.each<[string[], object]>([
    [['cron'], aBody({ cron: '0 9 * *' })],
    [['cron'], aBody({ cron: '0 0 31 2 *' })],
    [['cron'], aBody({ cron: '@daily' })],
    [['timeZone'], aBody({ timeZone: 'Europe/Atlantis' })],
    [['timeZone'], aBody({ timeZone: null })],
    [['cron', 'timeZone'], aBody({ cron: 'x', timeZone: '+01:00' })],
    [['policy'], aBody({ policy: 'wait' })],
    [['name'], aBody({ name: 'one\ntwo' })],
    [['name'], aBody({ name: undefined })],
    [['template'], aBody({ template: undefined })],
    [['template'], aBody({ template: null })],
    [['template.title'], aBody({ template: {} })],
    [['template.ref'], aBody({ template: { title: 'x', ref: 'a' } })],
    [['template.title'], aBody({ template: { title: '{{date}}'.repeat(60) } })],
    [['template.description'], aBody({ template: { title: 'x', description: '{{date}}'.repeat(8_000) } })],
    [['template.labels[0]', 'template.labels[1]'], aBody({ template: { title: 'x', labels: [7, {}] } })],
    [
      ['template.assignedAgentId', 'template.labels[0]'],
      aBody({ template: { title: 'x', assignedAgentId: 'nobody', labels: ['unknown'] } }),
    ],
    [['template.blockedBy[0]'], aBody({ template: { title: 'x', blockedBy: ['template'] } })],
    [['template.parent'], aBody({ template: { title: 'x', parent: 'NONE-1' } })],
    [['nextAt'], aBody({ nextAt: '2027-01-01T00:00:00Z' })],
  ])('with an invalid value returns 400 at %j (%#)', async (paths, body) => {
    await expectInvalidPaths(editor.post(schedulesOf(project), body), ...paths);
    await expectInvalidPaths(editor.post(schedulesOf(project), { ...body, dryRun: true }), ...paths);
  });

  it('that cannot create its issue is refused as a plan is, at a place of the template', async () => {
    const closed = await anIssue(editor, project);
    await editor.post(`/api/projects/issues/${closed.id}/close`);
    const body = aBody({ template: { title: 'x', parent: closed.key } });
    expect(await editor.post(schedulesOf(project), body)).toMatchObject(
      refused(409, 'invalid_transition', 'template.parent'),
    );
  });

  it('as a check returns its next five times and its issue, and stores nothing', async () => {
    const place = await aProject(editor);
    const blocker = await anIssue(editor, place);
    const { status, body } = await editor.post<Loose>(schedulesOf(place), {
      ...aBody({ cron: '30 2 28-30 3 *', timeZone: 'Europe/Berlin', dryRun: true }),
      template: { title: '{{date}} {{time}} {{number}} {{x}}', blockedBy: [blocker.key] },
    });
    expect(status).toBe(200);
    const times = body['nextTimes'] as unknown as string[];
    expect(times).toHaveLength(5);
    expect(times.toSorted()).toEqual(times);
    expect(body['issue']).toEqual({
      title: expect.stringMatching(/^\d{4}-03-2\d 0[23]:[03]0 1 \{\{x\}\}$/),
      description: '',
      status: 'WaitingOnDependency',
    });
    expect((await editor.get<Schedule[]>(schedulesOf(place))).body).toEqual([]);
    expect(await issuesIn(place)).toHaveLength(1);
  });

  it('stops at 200 in a project, also for eight at once', async () => {
    const place = await aProject(editor);
    const first = await aSchedule(editor, place);
    await service.sql(
      `INSERT INTO schedules (id, project_id, name, cron, time_zone, template, policy, enabled, editor_id)
       SELECT gen_random_uuid(), project_id, name || n, cron, time_zone, template, policy, false, editor_id
       FROM schedules, generate_series(1, 196) AS n WHERE id = $1`,
      [first.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => editor.post(schedulesOf(place), aBody())),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    await expectRefused(editor.post(schedulesOf(place), aBody()), 409, 'schedule_limit');
    const page = await editor.get<Schedule[]>(`${schedulesOf(place)}?limit=150`);
    const rest = await editor.get<Schedule[]>(nextOf(page)!);
    expect([page.body.length, rest.body.length]).toEqual([150, 50]);
    expect(page.body[0]).toMatchObject({ id: first.id });
  });

  it('with one idempotency key twice makes one', async () => {
    const place = await aProject(editor);
    const options = { headers: { 'idempotency-key': 'one' } };
    const answers = await Promise.all(
      [1, 2].map(() => editor.post<Schedule>(schedulesOf(place), aBody(), options)),
    );
    const again = await editor.post<Schedule>(schedulesOf(place), aBody(), options);
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(answers.map(({ status }) => status)).toContain(201);
    expect((await editor.get<Schedule[]>(schedulesOf(place))).body).toEqual([again.body]);
  });
});

describe('changing a schedule', () => {
  it('keeps its next time, unless its times change, which count from now on', async () => {
    const schedule = await aSchedule(editor, project, { cron: '0 0 1 1 *' });
    const [own] = await service.sql<{ at: Date }>(
      `UPDATE schedules SET next_at = date_trunc('minute', now()) + interval '1 hour' WHERE id = $1 RETURNING next_at AS at`,
      [schedule.id],
    );
    const named = (await editor.put<Schedule>(pathOf(schedule), { name: 'Other' })).body;
    expect(named).toMatchObject({ name: 'Other', nextAt: own!.at.toISOString() });
    const { body } = await editor.put<Schedule>(pathOf(schedule), { cron: '0 0 1 7 *', policy: 'queue' });
    expect(body).toMatchObject({ cron: '0 0 1 7 *', policy: 'queue', template: schedule.template });
    expect(body.nextAt).toMatch(/-07-01T00:00:00\.000Z$/);
    const moved = (await editor.put<Schedule>(pathOf(schedule), { timeZone: 'Asia/Tokyo' })).body;
    expect(moved.nextAt).toMatch(/-06-30T15:00:00\.000Z$/);
    const off = (await editor.put<Schedule>(pathOf(schedule), { enabled: false })).body;
    expect(off).toMatchObject({ enabled: false, nextAt: null });
    const on = (await editor.put<Schedule>(pathOf(schedule), { enabled: true })).body;
    expect(on).toMatchObject({ enabled: true, nextAt: moved.nextAt });
    expect((await journalOf(schedule, 'schedule.updated')).map(({ data }) => data)).toEqual([
      { name: { old: schedule.name, new: 'Other' } },
      { cron: { old: '0 0 1 1 *', new: '0 0 1 7 *' }, policy: { old: 'skip', new: 'queue' } },
      { timeZone: { old: 'UTC', new: 'Asia/Tokyo' } },
      { enabled: { old: true, new: false } },
      { enabled: { old: false, new: true } },
    ]);
  });

  it('takes it over, so that an enabled one must have a template that the caller may use', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    await service.owner.put(`/api/projects/${hidden.id}/members`, {
      entries: [{ userId: editor.id, role: 'Editor' }],
    });
    const other = await asEditor(service);
    const label = await aLabel(editor, project);
    const schedule = await aSchedule(editor, project, { template: { title: 'x', labels: [label.id] } });
    expect((await other.put<Schedule>(pathOf(schedule), { policy: 'queue' })).body.editedBy).toEqual({
      id: other.id,
      name: other.name,
    });
    await editor.delete(`/api/projects/labels/${label.id}`);
    await expectInvalidPaths(editor.put(pathOf(schedule), { name: 'y' }), 'template.labels[0]');
    const off = await editor.put<Schedule>(pathOf(schedule), { enabled: false });
    expect(off).toMatchObject({ status: 200, body: { enabled: false, editedBy: { id: editor.id } } });
    await expectInvalidPaths(editor.put(pathOf(schedule), { enabled: true }), 'template.labels[0]');
    const on = await editor.put<Schedule>(pathOf(schedule), { enabled: true, template: { title: 'y' } });
    expect(on).toMatchObject({ status: 200, body: { enabled: true, template: { title: 'y', labels: [] } } });
    expect((await journalOf(schedule, 'schedule.updated')).at(-1)!.data).toEqual({
      enabled: { old: false, new: true },
      template: {},
    });
  });

  it('with invalid values returns 400, and the schedule stays as it is', async () => {
    const schedule = await aSchedule(editor, project);
    await expectInvalidPaths(editor.put(pathOf(schedule), { cron: '61 * * * *' }), 'cron');
    await expectInvalidPaths(editor.put(pathOf(schedule), { timeZone: 'x' }), 'timeZone');
    await expectInvalidPaths(editor.put(pathOf(schedule), { template: { title: '' } }), 'template.title');
    await expectInvalidPaths(editor.put(pathOf(schedule), { dryRun: true }), 'dryRun');
    expect(await readSchedule(schedule)).toEqual(schedule);
    expect((await editor.put(pathOf(schedule), {})).body).toEqual(schedule);
  });

  it('by deletion leaves its issues', async () => {
    const place = await aProject(editor);
    const schedule = await aSchedule(editor, place);
    await editor.post(`${pathOf(schedule)}/run`);
    expect((await editor.delete(pathOf(schedule))).status).toBe(204);
    await expectRefused(editor.get(pathOf(schedule)), 404, 'not_found');
    await expectRefused(editor.delete(pathOf(schedule)), 404, 'not_found');
    expect(await issuesIn(place)).toHaveLength(1);
    expect((await journalOf(schedule)).at(-1)).toMatchObject({
      type: 'schedule.deleted',
      data: { name: schedule.name },
    });
  });

  it('needs an Editor; agents and people who cannot see the project find nothing', async () => {
    const schedule = await aSchedule(editor, project);
    for (const caller of [viewer, agent]) {
      await expectRefused(caller.post(schedulesOf(project), aBody()), 403, 'forbidden');
      await expectRefused(caller.put(pathOf(schedule), { name: 'y' }), 403, 'forbidden');
      await expectRefused(caller.post(`${pathOf(schedule)}/run`), 403, 'forbidden');
      await expectRefused(caller.delete(pathOf(schedule)), 403, 'forbidden');
    }
    const hidden = await aSchedule(service.owner, await aProject(service.owner, { visibility: 'members' }));
    for (const id of [hidden.id, 'nonsense', project.id])
      await expectRefused(editor.get(pathOf({ id })), 404, 'not_found');
  });
});

describe('a run by a person', () => {
  it('creates the next issue in the name of the caller, and leaves the next time', async () => {
    const place = await aProject(editor);
    const schedule = await aSchedule(editor, place, {
      enabled: false,
      template: { title: 'No. {{number}}', assignedAgentId: agent.id },
    });
    const options = { headers: { 'idempotency-key': 'run' } };
    const first = await editor.post<Issue>(`${pathOf(schedule)}/run`, undefined, options);
    expect(first).toMatchObject({ status: 201, body: { title: 'No. 1', createdBy: { id: editor.id } } });
    expect(first.headers['location']).toBe(`/api/projects/issues/${first.body.id}`);
    expect((await editor.post(`${pathOf(schedule)}/run`, undefined, options)).body).toEqual(first.body);
    const second = (await editor.post<Issue>(`${pathOf(schedule)}/run`)).body;
    expect(second).toMatchObject({ title: 'No. 2', status: 'Open', assignedAgentId: agent.id });
    expect(await readSchedule(schedule)).toMatchObject({
      nextAt: null,
      lastIssueId: second.id,
      lastAt: expect.any(String),
    });
    expect((await journalOf(schedule, 'schedule.ran')).map(({ data }) => data)).toEqual([
      { dueAt: null, issueId: first.body.id, number: 1 },
      { dueAt: null, issueId: second.id, number: 2 },
    ]);
    await editor.delete(`/api/projects/issues/${second.id}?confirm=true`);
    expect(await readSchedule(schedule)).toMatchObject({ lastIssueId: null });
  });

  it('that is refused changes nothing, and is no failure of the schedule', async () => {
    const label = await aLabel(editor, project);
    const template = { title: 'x', labels: [label.name] };
    const schedule = await aSchedule(editor, project, { policy: 'replace', template });
    const last = (await editor.post<Issue>(`${pathOf(schedule)}/run`)).body;
    await editor.delete(`/api/projects/labels/${label.id}`);
    await expectInvalidPaths(editor.post(`${pathOf(schedule)}/run`), 'template.labels[0]');
    expect(await read(editor, last)).toMatchObject({ status: 'Open' });
    expect(await readSchedule(schedule)).toMatchObject({ failures: 0, lastIssueId: last.id });
  });
});

describe('a due time', () => {
  it('creates one issue, whose author is the schedule, in one request of the journal', async () => {
    const place = await aProject(editor);
    const label = await aLabel(editor, place);
    const blocker = await anIssue(editor, place);
    const schedule = await aSchedule(editor, place, {
      name: 'Hourly',
      cron: '0 0 1 1 *',
      timeZone: 'Asia/Kathmandu',
      template: {
        title: '{{date}} {{time}} #{{number}}',
        description: 'At {{time}}.',
        labels: [label.name.toUpperCase()],
        blockedBy: [blocker.key],
      },
    });
    await run(schedule);
    const after = await readSchedule(schedule);
    const [, issue] = await issuesIn(place);
    const [shown] = await service.sql<{ at: string }>(
      `SELECT to_char($1::timestamptz AT TIME ZONE 'Asia/Kathmandu', 'YYYY-MM-DD HH24:MI') AS at`,
      [after.lastAt],
    );
    const createdBy = { type: 'system', id: schedule.id, name: 'Schedule Hourly' };
    expect(await read(editor, issue!)).toMatchObject({
      title: `${shown!.at} #1`,
      description: `At ${shown!.at.slice(-5)}.`,
      status: 'WaitingOnDependency',
      labels: [{ id: label.id }],
      createdBy,
    });
    expect(after).toMatchObject({ lastIssueId: issue!.id, failures: 0 });
    expect(after.nextAt).toMatch(/-12-31T18:15:00\.000Z$/);
    const rows = await service.sql(
      `SELECT type, actor_id FROM journal WHERE request_id = (
         SELECT request_id FROM journal WHERE subject_id = $1 AND type = 'schedule.ran') ORDER BY position`,
      [schedule.id],
    );
    const types = ['issue.created', 'link.created', 'link.created', 'schedule.ran'];
    expect(rows).toEqual(types.map((type) => ({ type, actor_id: schedule.id })));
    expect((await journalOf(schedule, 'schedule.ran'))[0]!.data).toEqual({
      dueAt: after.lastAt,
      issueId: issue!.id,
      number: 1,
    });
    await expectInvariants(service);
  });

  it('creates none with skip, another one with queue, and closes the last one with replace', async () => {
    const places = await Promise.all(['skip', 'queue', 'replace'].map(() => aProject(editor)));
    const [skip, queue, replace] = (await Promise.all(
      ['skip', 'queue', 'replace'].map((policy, at) => aSchedule(editor, places[at]!, { ...yearly, policy })),
    )) as [Schedule, Schedule, Schedule];
    const firsts = await Promise.all(
      [skip, queue, replace].map(async (one) => (await editor.post<Issue>(`${pathOf(one)}/run`)).body),
    );
    const dependent = await anIssue(editor, places[2]!, { blockedByIssueId: firsts[2]!.id });
    const child = await anIssue(editor, places[2]!, { parentId: firsts[2]!.id });
    await run(skip, queue, replace);
    expect(await issuesIn(places[0]!)).toHaveLength(1);
    expect((await journalOf(skip, 'schedule.skipped'))[0]!.data).toMatchObject({
      reason: 'unresolved',
      issueId: firsts[0]!.id,
    });
    expect((await issuesIn(places[1]!)).map(({ status }) => status)).toEqual(['Open', 'Open']);
    const replaced = await issuesIn(places[2]!);
    expect(replaced.map(({ id, status }) => [id, status])).toEqual([
      [firsts[2]!.id, 'Closed'],
      [dependent.id, 'Open'],
      [child.id, 'Closed'],
      [(await readSchedule(replace)).lastIssueId, 'Open'],
    ]);
    await put(editor, firsts[0]!, { status: 'Resolved' });
    await run(skip);
    expect((await issuesIn(places[0]!)).map(({ status }) => status)).toEqual(['Resolved', 'Open']);
    await expectInvariants(service);
  });

  it('that was acted on before has no second issue, even if the clock goes back', async () => {
    const place = await aProject(editor);
    const schedule = await aSchedule(editor, place, { ...yearly, policy: 'queue' });
    await run(schedule);
    const { lastAt } = await readSchedule(schedule);
    await service.sql('UPDATE schedules SET next_at = $2 WHERE id = $1', [schedule.id, lastAt]);
    await untilDone(schedule);
    expect(await issuesIn(place)).toHaveLength(1);
    expect(await readSchedule(schedule)).toMatchObject({
      lastAt,
      nextAt: expect.stringMatching(/-01-01T00:00:00/),
    });
  });

  it('is the latest of those that were missed, and the others are recorded', async () => {
    const place = await aProject(editor);
    const schedule = await aSchedule(editor, place, { cron: '* * * * *' });
    await makeDue([schedule], 90);
    const { nextAt: first } = await readSchedule(schedule);
    await untilDone(schedule);
    const { lastAt } = await readSchedule(schedule);
    expect(await issuesIn(place)).toHaveLength(1);
    const { data } = (await journalOf(schedule, 'schedule.skipped'))[0]!;
    const count = (Date.parse(lastAt!) - Date.parse(first!)) / 60_000;
    expect(data).toEqual({ reason: 'missed', count, first, before: lastAt });
    expect(count).toBeGreaterThanOrEqual(90);
  });

  it('of many schedules at once is acted on once by two processes', async () => {
    const place = await aProject(editor);
    const schedules = await Promise.all(
      Array.from({ length: 30 }, () => aSchedule(editor, place, { ...yearly, policy: 'queue' })),
    );
    const second = await service.second();
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [place.id]);
    await makeDue(schedules);
    // Both are in the middle of a due time.
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length >= 2);
    await holder.rows('COMMIT');
    await holder.end();
    await untilDone(...schedules);
    await second.stop();
    const ran = await service.sql(
      `SELECT subject_id, data ->> 'dueAt' AS due FROM journal WHERE type = 'schedule.ran' AND subject_id = ANY($1)`,
      [schedules.map(({ id }) => id)],
    );
    expect(ran.length).toBeGreaterThanOrEqual(30);
    expect(new Set(ran.map((one) => JSON.stringify(one))).size).toBe(ran.length);
    expect(await issuesIn(place)).toHaveLength(ran.length);
  });

  it('that comes while a person runs the schedule waits, so that each of both issues has its own number', async () => {
    const place = await aProject(editor);
    const template = { title: 'No. {{number}}' };
    const schedule = await aSchedule(editor, place, { ...yearly, template, policy: 'queue' });
    const isTrue = (condition: string) => async () =>
      (await service.sql(`SELECT 1 FROM schedules WHERE id = $1 AND ${condition}`, [schedule.id])).length > 0;
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [place.id]);
    await service.sql(`UPDATE schedules SET next_at = now() + interval '700 milliseconds' WHERE id = $1`, [
      schedule.id,
    ]);
    const ran = editor.post<Issue>(`${pathOf(schedule)}/run`);
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length > 0);
    // The process has looked at least once since the due time.
    await until(isTrue(`next_at < now() - interval '1200 milliseconds'`));
    await holder.rows('COMMIT');
    await holder.end();
    expect(await ran).toMatchObject({ status: 201 });
    await untilDone(schedule);
    expect((await issuesIn(place)).map(({ title }) => title)).toEqual(['No. 1', 'No. 2']);
  });

  it('that meets an error of the service stays due, is no failure, and holds up no other schedule', async () => {
    const place = await aProject(editor);
    const [broken, other] = await Promise.all(
      ['broken', 'other'].map((title) => aSchedule(editor, place, { ...yearly, template: { title } })),
    );
    await service.sql(`
      CREATE FUNCTION fail_broken() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.title = 'broken' THEN RAISE EXCEPTION 'broken'; END IF; RETURN NEW; END $$`);
    await service.sql(
      'CREATE TRIGGER fail_broken BEFORE INSERT ON issues FOR EACH ROW EXECUTE FUNCTION fail_broken()',
    );
    await makeDue([broken!], 5);
    await run(other!);
    const { nextAt, failures } = await readSchedule(broken!);
    expect(Date.parse(nextAt!)).toBeLessThan(Date.now());
    expect(failures).toBe(0);
    expect((await issuesIn(place)).map(({ title }) => title)).toEqual(['other']);
    await service.sql('DROP TRIGGER fail_broken ON issues');
    await untilDone(broken!);
    expect((await issuesIn(place)).map(({ title }) => title)).toEqual(['other', 'broken']);
  });
});

describe('a schedule that cannot create its issue', () => {
  const causesOf = async (caller: Caller, place: { id: string }) =>
    (await caller.get<Wire<AttentionResponse>>(`/api/attention?projectId=${place.id}`)).body;

  it('needs a person, and is disabled after five failures in a row', async () => {
    const place = await aProject(editor);
    const worker = await asAgent(service);
    const template = { title: 'x', assignedAgentId: worker.id };
    const schedule = await aSchedule(editor, place, { ...yearly, template, policy: 'replace' });
    const last = (await editor.post<Issue>(`${pathOf(schedule)}/run`)).body;
    await service.owner.delete(`/api/agents/${worker.id}`);
    await run(schedule);
    const once = await readSchedule(schedule);
    expect(once).toMatchObject({
      failures: 1,
      enabled: true,
      lastIssueId: last.id,
      lastFailure: 'template.assignedAgentId: names no agent',
    });
    expect(await read(editor, last)).toMatchObject({ status: 'Open' });
    const { items, tabs } = await causesOf(viewer, place);
    expect(items).toMatchObject([
      {
        id: `schedule_failing:${schedule.id}`,
        title: `The schedule ${schedule.name} could not create its issue`,
        schedule: { id: schedule.id, name: schedule.name },
        needsRole: 'Editor',
        alternatives: [],
      },
    ]);
    expect(tabs).toMatchObject({ broken: 1, all: 1 });
    for (const failures of [2, 3, 4, 5]) {
      await run(schedule);
      expect(await readSchedule(schedule)).toMatchObject({ failures });
    }
    expect(await readSchedule(schedule)).toMatchObject({ enabled: false, nextAt: null });
    const failed = (await journalOf(schedule, 'schedule.failed')).map(({ data }) => data);
    expect(failed).toEqual(
      [1, 2, 3, 4, 5].map((failures) => ({
        dueAt: expect.any(String),
        code: 'validation_failed',
        failures,
        disabled: failures === 5,
      })),
    );
    expect((await causesOf(editor, place)).items[0]!.since).toBe(
      (
        await service.sql<{ at: Date }>('SELECT failing_since AS at FROM schedules WHERE id = $1', [
          schedule.id,
        ])
      )[0]!.at.toISOString(),
    );
    const restarted = await editor.put<Schedule>(pathOf(schedule), {
      enabled: true,
      template: { title: 'y' },
    });
    expect(restarted.body).toMatchObject({ failures: 0, lastFailure: null, enabled: true });
    expect((await causesOf(editor, place)).items).toEqual([]);
    await run(schedule);
    expect(await read(editor, last)).toMatchObject({ status: 'Closed' });
  });

  it('counts again after a success', async () => {
    const place = await aProject(editor);
    const label = await aLabel(editor, place, { name: 'nightly' });
    const schedule = await aSchedule(editor, place, {
      ...yearly,
      template: { title: 'x', labels: ['nightly'] },
    });
    await editor.delete(`/api/projects/labels/${label.id}`);
    await run(schedule);
    expect(await readSchedule(schedule)).toMatchObject({ failures: 1 });
    await aLabel(editor, place, { name: 'Nightly' });
    await run(schedule);
    expect(await readSchedule(schedule)).toMatchObject({ failures: 0, lastFailure: null });
    expect((await issuesIn(place))[0]).toMatchObject({ labels: [{ name: 'Nightly' }] });
  });

  it.each<[string, (user: Caller, place: Project) => Promise<unknown>]>([
    ['disabled', ({ id }) => service.owner.delete(`/api/users/${id}`)],
    ['a Viewer now', ({ id }) => service.owner.put(`/api/users/${id}`, { role: 'Viewer' })],
    [
      'outside of the project now',
      (_, { id }) => service.owner.put(`/api/projects/${id}`, { visibility: 'members' }),
    ],
  ])('because its last editor is %s fails, until another Editor saves it', async (_, change) => {
    const place = await aProject(service.owner);
    const user = await asEditor(service);
    const schedule = await aSchedule(user, place, yearly);
    await change(user, place);
    await run(schedule);
    const failed = (await service.owner.get<Schedule>(pathOf(schedule))).body;
    expect(failed).toMatchObject({ failures: 1, lastIssueId: null });
    expect(failed.lastFailure).toContain(`${user.name}, who changed the schedule last, may not`);
    await service.owner.put(pathOf(schedule), { enabled: true });
    await run(schedule);
    const { body } = await service.owner.get<Schedule>(pathOf(schedule));
    expect(body).toMatchObject({ failures: 0, lastIssueId: expect.any(String) });
  });

  it('has no more rights than the key with which it was saved', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const blocker = await anIssue(service.owner, hidden);
    const place = await aProject(service.owner);
    const limited = await asUser(service, 'Admin', { role: 'Editor' });
    const schedule = await aSchedule(limited, place, yearly);
    // As if the template had been written when the issue was still visible.
    await service.sql(
      `UPDATE schedules SET template = jsonb_set(template, '{blockedBy}', $2) WHERE id = $1`,
      [schedule.id, JSON.stringify([blocker.key])],
    );
    await run(schedule);
    expect(await readSchedule(schedule)).toMatchObject({
      failures: 1,
      lastFailure: expect.stringContaining('template.blockedBy[0]: names neither'),
    });
  });
});
