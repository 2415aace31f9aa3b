import { describe, expect, it } from '@jest/globals';
import { aComment, aLink, aProject, anIssue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAdmin, asAgent, asEditor, asSession, asUser, asViewer } from '../../support/callers.js';
import { EventStream } from '../../support/event-stream.js';
import { refused } from '../../support/refusal.js';
import { ANSWERING, startService, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

/** Waits until the streams have every event of what was done before. */
async function marked(editor: Caller, ...streams: EventStream[]): Promise<void> {
  const mark = await aProject(editor);
  for (const stream of streams) await stream.next(({ subject }) => subject.id === mark.id);
}

describe('GET /api/events', () => {
  it('sends events in the form of the contract', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const stream = await EventStream.open(editor);
    const issue = await anIssue(editor, project, { title: 'followed' });
    const event = await stream.next(({ subject }) => subject.id === issue.id);
    expect(event).toEqual({
      id: expect.stringMatching(uuid),
      type: 'issue.created',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      projectId: project.id,
      actor: { type: 'user', id: editor.id, name: editor.name },
      subject: { type: 'issue', id: issue.id },
      data: expect.anything(),
    });
    expect(stream.events.some(({ subject }) => subject.id === project.id)).toBe(false);
    stream.close();
  });

  it('names the issue of a comment', async () => {
    const editor = await asEditor(service);
    const issue = await anIssue(editor, await aProject(editor));
    const stream = await EventStream.open(editor);
    const comment = await aComment(editor, issue);
    const event = await stream.next(({ subject }) => subject.id === comment.id);
    expect(event).toMatchObject({ type: 'comment.created', data: { issueId: issue.id } });
    stream.close();
  });

  it('has at most 128 streams of one reader open, and admits a further one when one has ended', async () => {
    const viewer = await asViewer(service);
    const streams: EventStream[] = [];
    const opened = async () => {
      const stream = await EventStream.open(viewer).catch((error: Error) => error.message);
      if (typeof stream === 'string') return stream;
      streams.push(stream);
      return null;
    };
    let refusal: string | null = null;
    while (refusal === null) refusal = await opened();
    expect(refusal).toMatch(/429: .*"code":"rate_limited"/);
    // Several processes divide them among themselves: one may be full before the others.
    if (ANSWERING === 1) expect(streams).toHaveLength(128);
    else expect(streams.length).toBeLessThanOrEqual(128 + ANSWERING);
    expect((await service.owner.get('/api/projects')).status).toBe(200);
    streams.pop()!.close();
    await until(async () => {
      const stream = await EventStream.open(viewer).catch(() => null);
      if (stream) streams.push(stream);
      return stream !== null;
    });
    for (const stream of streams) stream.close();
  });

  it('rejects a request without a credential, and one with an invented Last-Event-ID', async () => {
    expect(await anonymous(service).get('/api/events')).toMatchObject(refused(401, 'unauthenticated'));
    for (const id of ['nonsense', '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09'])
      expect(await service.owner.get('/api/events', { headers: { 'last-event-id': id } })).toMatchObject(
        refused(400, 'validation_failed', 'Last-Event-ID'),
      );
    expect(await service.owner.get('/api/events?since=1')).toMatchObject(
      refused(400, 'validation_failed', 'since'),
    );
  });

  it('sends only the events of the project and types that the reader asked for', async () => {
    const editor = await asEditor(service);
    const [project, other] = [await aProject(editor), await aProject(editor)];
    const query = `?projectId=${project.key}&types=comment.*,issue.created`;
    const stream = await EventStream.open(editor, undefined, query);
    const [issue, elsewhere] = [await anIssue(editor, project), await anIssue(editor, other)];
    await editor.put(`/api/projects/issues/${issue.id}`, { title: 'Other' });
    await aComment(editor, elsewhere);
    const comment = await aComment(editor, issue);
    await stream.next(({ subject }) => subject.id === comment.id);
    expect(stream.events.map(({ type, subject }) => [type, subject.id])).toEqual([
      ['issue.created', issue.id],
      ['comment.created', comment.id],
    ]);
    stream.close();
  });

  it('rejects a project that the reader does not see, and unknown types', async () => {
    const hidden = await aProject(await asEditor(service), { visibility: 'members' });
    const viewer = await asViewer(service);
    for (const [query, path] of [
      [`projectId=${hidden.id}`, 'projectId'],
      ['projectId=NOWHERE', 'projectId'],
      ['types=issue.eaten', 'types'],
      ['types=', 'types'],
      ['types=issue.*,issue.created', 'types'],
    ] as const)
      expect(await viewer.get(`/api/events?${query}`)).toMatchObject(refused(400, 'validation_failed', path));
  });

  it('resumes after Last-Event-ID, in the header or the query, without a missing or repeated event', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const first = await EventStream.open(editor);
    await anIssue(editor, project);
    await first.next(({ projectId }) => projectId === project.id);
    first.close();
    const made = [];
    for (let at = 0; at < 5; at += 1) made.push((await anIssue(editor, project)).id);
    const second = await EventStream.open(editor, first.lastId);
    await marked(editor, second);
    expect(createdIn(second)).toEqual(made);
    const response = await editor.open('GET', `/api/events?lastEventId=${first.lastId}`);
    const [chunk] = (await response.body.iterator({ destroyOnReturn: false }).next()).value
      .toString()
      .split('\n');
    expect(chunk).toMatch(/^retry: \d+$/);
    response.body.destroy();
    second.close();
  });

  it('can be resumed before any event was received', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const first = await EventStream.open(editor);
    expect(first.events).toEqual([]);
    first.close();
    const issue = await anIssue(editor, project);
    const second = await EventStream.open(editor, first.lastId);
    expect(await second.next(({ subject }) => subject.id === issue.id)).toBeTruthy();
    second.close();
  });

  it('sends a row that commits after one with a later position', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const stream = await EventStream.open(editor);
    await service.sql('BEGIN');
    await service.sql(
      `INSERT INTO journal (id, type, actor_type, actor_name, subject_type, subject_id, project_id)
       VALUES (gen_random_uuid(), 'issue.updated', 'system', 'system', 'issue', 'early', $1)`,
      [project.id],
    );
    const later = await anIssue(editor, project);
    await service.sql('COMMIT');
    await stream.next(({ subject }) => subject.id === later.id);
    expect(stream.events.map(({ subject }) => subject.id)).toEqual(['early', later.id]);
    stream.close();
  });

  it('sends a row whose transaction was open when the stream began', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    await service.sql('BEGIN');
    await service.sql(
      `INSERT INTO journal (id, type, actor_type, actor_name, subject_type, subject_id, project_id)
       VALUES (gen_random_uuid(), 'issue.updated', 'system', 'system', 'issue', 'open', $1)`,
      [project.id],
    );
    const later = await anIssue(editor, project);
    const stream = await EventStream.open(editor);
    await service.sql('COMMIT');
    await stream.next(({ subject }) => subject.id === 'open');
    await marked(editor, stream);
    const ofProject = stream.events.filter(({ projectId }) => projectId === project.id);
    expect(ofProject.map(({ subject }) => subject.id)).toEqual(['open', later.id]);
    stream.close();
  });

  it('goes on after a change that was rolled back', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const stream = await EventStream.open(editor);
    await service.sql('BEGIN');
    await service.sql(
      `INSERT INTO journal (id, type, actor_type, actor_name, subject_type) VALUES (gen_random_uuid(), 'x', 'system', 'system', 'x')`,
    );
    await service.sql('ROLLBACK');
    await anIssue(editor, project);
    await stream.next(({ projectId }) => projectId === project.id);
    stream.close();
  });
});

describe('the rights of a reader', () => {
  it('limit events about users, keys and servers to Admins', async () => {
    const [admin, viewer, agent] = [await asAdmin(service), await asViewer(service), await asAgent(service)];
    const narrowed = await asUser(service, 'Admin', { role: 'Editor' });
    const streams = await Promise.all([admin, viewer, agent, narrowed].map((one) => EventStream.open(one)));
    const made = await asViewer(service);
    await marked(service.owner, ...streams);
    const received = streams.map(({ events }) => events.some(({ subject }) => subject.id === made.id));
    expect(received).toEqual([true, false, false, false]);
    expect(streams.map(({ events }) => events.some(({ type }) => type === 'key.created'))).toEqual(received);
    streams.forEach((stream) => stream.close());
  });

  it('show events about agents to every user, and to an agent only its own', async () => {
    const [viewer, agent] = [await asViewer(service), await asAgent(service)];
    const streams = await Promise.all([viewer, agent].map((one) => EventStream.open(one)));
    const other = await asAgent(service);
    await service.owner.put(`/api/agents/${agent.id}`, { description: 'changed' });
    await marked(service.owner, ...streams);
    const [toViewer, toAgent] = streams.map(({ events }) =>
      events.filter(({ type }) => type.startsWith('agent.')).map(({ subject }) => subject.id),
    );
    expect(toViewer).toEqual([other.id, agent.id]);
    expect(toAgent).toEqual([agent.id]);
    streams.forEach((stream) => stream.close());
  });

  it('hide a members-only project from others, also after issue and project are deleted', async () => {
    const [member, outsider, agent] = [
      await asEditor(service),
      await asEditor(service),
      await asAgent(service),
    ];
    const callers = [service.owner, member, outsider, agent];
    const streams = await Promise.all(callers.map((one) => EventStream.open(one)));
    const beginnings = streams.map(({ lastId }) => lastId);
    const project = await aProject(member, { visibility: 'members' });
    const issue = await anIssue(member, project);
    await aComment(member, issue);
    await service.owner.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    await service.owner.delete(`/api/projects/${project.id}?confirm=true`);
    await marked(service.owner, ...streams);
    // Read again from the beginning, after the project is gone.
    const again = await Promise.all(callers.map((one, at) => EventStream.open(one, beginnings[at])));
    await marked(service.owner, ...again);
    const whole = ['project.created', 'issue.created', 'comment.created', 'issue.deleted', 'project.deleted'];
    for (const each of [streams, again]) {
      const seen = each.map(({ events }) =>
        events.filter(({ projectId }) => projectId === project.id).map(({ type }) => type),
      );
      expect(seen).toEqual([whole, whole, [], []]);
      for (const other of each.slice(2)) expect(JSON.stringify(other.events)).not.toContain(issue.id);
    }
    [...streams, ...again].forEach((stream) => stream.close());
  });

  it('hide a project that becomes members-only, and show it when the reader becomes a member', async () => {
    const [member, outsider] = [await asEditor(service), await asEditor(service)];
    const project = await aProject(member);
    const stream = await EventStream.open(outsider);
    await service.owner.put(`/api/projects/${project.id}`, { visibility: 'members' });
    const hidden = await anIssue(service.owner, project);
    await marked(service.owner, stream);
    expect(stream.events.some(({ subject }) => subject.id === hidden.id)).toBe(false);
    await service.owner.put(`/api/projects/${project.id}/members`, {
      entries: [{ userId: outsider.id, role: 'Viewer' }],
    });
    const shown = await anIssue(service.owner, project);
    await stream.next(({ subject }) => subject.id === shown.id);
    stream.close();
  });

  it('hide a deleted link to an issue that the reader can no longer see', async () => {
    const [member, outsider] = [await asEditor(service), await asEditor(service)];
    const [open, closed] = [await aProject(member), await aProject(member)];
    const [near, far] = [await anIssue(member, open), await anIssue(member, closed)];
    const { lastId, close } = await EventStream.open(outsider).then((one) => ({
      lastId: one.lastId,
      close: () => one.close(),
    }));
    close();
    const link = await aLink(member, far, near);
    await member.delete(`/api/projects/links/${link.id}`);
    await service.owner.put(`/api/projects/${closed.id}`, { visibility: 'members' });
    const stream = await EventStream.open(outsider, lastId);
    await marked(service.owner, stream);
    expect(stream.events.some(({ subject }) => subject.id === near.id)).toBe(true);
    expect(JSON.stringify(stream.events)).not.toContain(far.id);
    stream.close();
  });
});

describe('an event stream ends', () => {
  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['its key is deleted', (one) => service.sql('DELETE FROM api_keys WHERE user_id = $1', [one.id])],
    [
      'its key expires',
      (one) => service.sql('UPDATE api_keys SET expires_at = now() WHERE user_id = $1', [one.id]),
    ],
    ['its user is disabled', (one) => service.owner.delete(`/api/users/${one.id}`)],
  ])('when %s', async (_, take) => {
    const viewer = await asViewer(service);
    const stream = await EventStream.open(viewer);
    await take(viewer);
    await stream.end();
  });

  const aged = (column: string, age: string) => (one: Caller) =>
    service.sql(`UPDATE sessions SET ${column} = now() - $1::interval WHERE user_id = $2`, [age, one.id]);
  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['is signed out', (one) => one.post('/api/auth/logout')],
    ['has not been used for 12 hours', aged('last_used_at', '12 hours')],
    ['is 7 days old', aged('created_at', '7 days')],
  ])('when its session %s, and not before', async (_, end) => {
    const viewer = await asSession(service, 'Viewer');
    const stream = await EventStream.open(viewer);
    const project = await aProject(service.owner);
    await stream.next(({ subject }) => subject.id === project.id);
    await end(viewer);
    await stream.end();
  });

  it('when its agent is deleted', async () => {
    const agent = await asAgent(service);
    const stream = await EventStream.open(agent);
    await service.owner.delete(`/api/agents/${agent.id}`);
    await stream.end();
  });

  it('at shutdown, which does not wait for it', async () => {
    const own = await startService();
    const streams = await Promise.all([1, 2, 3].map(() => EventStream.open(own.owner)));
    expect(await own.stop()).toEqual({ code: 0, signal: null });
    for (const stream of streams) await stream.end();
    await own.remove();
  });
});

describe('a slow reader', () => {
  it('delays no other reader, and receives every event once it reads again', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const issue = await anIssue(editor, project);
    const slow = await editor.open('GET', '/api/events');
    const swift = await EventStream.open(editor);
    const rounds = 40;
    for (let at = 0; at < rounds; at += 1)
      await editor.put(`/api/projects/issues/${issue.id}`, { description: `${at} `.padEnd(60_000, 'x') });
    const isLast = `${rounds - 1} x`;
    await swift.next(({ data }) => JSON.stringify(data).includes(isLast));
    let text = '';
    slow.body.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
    slow.body.on('error', () => undefined);
    const numbers = () => [...text.matchAll(/"new":"(\d+) x/g)].map(([, number]) => Number(number));
    await until(() => numbers().length === rounds);
    expect(numbers()).toEqual(Array.from({ length: rounds }, (_, at) => at));
    slow.body.destroy();
    swift.close();
  });
});

describe('two processes', () => {
  it('send each other’s events, and a reader resumes at the other one', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const other = await service.second();
    const there = editor.at(other);
    const [here, beyond] = [await EventStream.open(editor), await EventStream.open(there)];
    const made: string[] = [];
    for (let at = 0; at < 6; at += 1) made.push((await anIssue(at % 2 ? editor : there, project)).id);
    await marked(editor, here, beyond);
    expect(createdIn(here)).toEqual(made);
    expect(createdIn(beyond)).toEqual(made);
    here.close();
    made.push((await anIssue(editor, project)).id);
    const onward = await EventStream.open(there, here.lastId);
    await marked(there, onward);
    expect(createdIn(onward)).toEqual(made.slice(-1));
    [beyond, onward].forEach((stream) => stream.close());
  });
});

function createdIn({ events }: EventStream): (string | null)[] {
  return events.filter(({ type }) => type === 'issue.created').map(({ subject }) => subject.id);
}
