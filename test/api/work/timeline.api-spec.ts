import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ActivityResponse } from '../../../src/work/issue-reading/issue-reading.dto.js';
import type { Answer } from '../../support/answer.js';
import {
  aComment,
  aGoal,
  aLink,
  anAgent,
  anIssue,
  aProject,
  createdBy,
  type Issue,
  type Project,
} from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { anAttachment, type Attachment, file, form } from './attachments.forms.js';

type Activity = Wire<ActivityResponse>;
type Identified = { id: string };
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

const service = useService();
let editor: Caller;
let viewer: Caller;
let project: Project;
beforeAll(async () => {
  [editor, viewer] = await Promise.all([asEditor(service), asViewer(service)]);
  project = await aProject(editor);
});

const issuePath = ({ id }: Identified) => `/api/projects/issues/${id}`;
const activityOf = (issue: Identified) => `${issuePath(issue)}/activity`;
const put = (issue: Identified, fields: object) => editor.put(issuePath(issue), fields);
const act = (issue: Identified, action: string) => editor.post(`${issuePath(issue)}/${action}`);

async function timeline(issue: Identified, caller = viewer): Promise<Activity[]> {
  const { status, body } = await caller.get<Activity[]>(activityOf(issue));
  expect(status).toBe(200);
  return body;
}
const replace = (caller: Caller, issue: Identified, replaces: string, part = file()) =>
  caller.request<Attachment>('POST', `${issuePath(issue)}/attachments?replaces=${replaces}`, form(part));
const timelineOf = async (issue: Identified, caller = viewer) =>
  (await timeline(issue, caller)).map(({ type, data }) => [type, data]);

describe('the timeline of an issue', () => {
  it('begins with its creation: the fields, the actor and the time', async () => {
    const issue = await anIssue(editor, project, { title: 'Begin' });
    expect(await timeline(issue)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        issueId: issue.id,
        type: 'issue.created',
        actor: { type: 'user', id: editor.id, name: editor.name },
        data: { title: 'Begin', status: 'Open' },
        createdAt: issue.createdAt,
      },
    ]);
  });

  it('shows each changed field with its old and new value, and no field that stayed the same', async () => {
    const goal = await aGoal(editor, project);
    const issue = await anIssue(editor, project, { title: 'Before', priority: 'low' });
    await put(issue, { title: 'After', priority: 'high', goalId: goal.id, description: '' });
    await put(issue, { title: 'After' });
    expect((await timelineOf(issue)).slice(1)).toEqual([
      [
        'issue.updated',
        {
          title: { old: 'Before', new: 'After' },
          priority: { old: 'low', new: 'high' },
          goalId: { old: null, new: goal.id },
        },
      ],
    ]);
  });

  it('shows each change of status with its cause, and pausing and resuming by name', async () => {
    const issue = await anIssue(editor, project);
    await put(issue, { status: 'InProgress' });
    await act(issue, 'pause');
    await act(issue, 'resume');
    await act(issue, 'close');
    const changed = (old: string, now: string, cause: string) => [
      'issue.status_changed',
      { old, new: now, cause },
    ];
    expect((await timelineOf(issue)).slice(1)).toEqual([
      changed('Open', 'InProgress', 'put'),
      ['issue.paused', {}],
      changed('InProgress', 'Open', 'paused'),
      ['issue.resumed', {}],
      changed('Open', 'InProgress', 'resumed'),
      changed('InProgress', 'Closed', 'closed'),
    ]);
  });

  it('shows who picked it up, and that a lease was lost', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await agent.post('/api/agents/me/heartbeat', {});
    await service.sql(
      `UPDATE issue_leases SET expires_at = now() - interval '1 second' WHERE issue_id = $1`,
      [issue.id],
    );
    await agent.post('/api/agents/me/heartbeat', {});
    const rows = (await timeline(issue)).slice(1);
    expect(rows.map(({ type }) => type)).toEqual([
      'issue.status_changed',
      'issue.picked_up',
      'issue.lease_lost',
      'issue.picked_up',
    ]);
    for (const { actor } of rows) expect(actor).toEqual({ type: 'agent', id: agent.id, name: agent.name });
  });

  it('shows comments with their text while they exist, when it was changed, and neither afterwards', async () => {
    const issue = await anIssue(editor, project);
    const [kept, gone] = [
      await aComment(editor, issue, 'first words'),
      await aComment(editor, issue, 'to be forgotten'),
    ];
    const { body: edited } = await editor.put<{ updatedAt: string }>(`/api/projects/comments/${kept.id}`, {
      content: 'better words',
    });
    await editor.delete(`/api/projects/comments/${gone.id}`);
    const about = ({ id }: Identified) => ({ commentId: id, authorType: 'User' });
    expect((await timelineOf(issue)).slice(1)).toEqual([
      ['comment.created', { ...about(kept), content: 'better words', editedAt: edited.updatedAt }],
      ['comment.created', about(gone)],
      ['comment.updated', about(kept)],
      ['comment.deleted', about(gone)],
    ]);
    const stored = await service.sql('SELECT data::text AS data FROM journal WHERE issue_id = $1', [
      issue.id,
    ]);
    expect(JSON.stringify(stored)).not.toMatch(/words|forgotten/);
  });

  it('shows attachments', async () => {
    const issue = await anIssue(editor, project);
    const { id, filename } = await anAttachment(editor, issue, file('abc'));
    await editor.delete(`/api/projects/attachments/${id}`);
    const about = { attachmentId: id, filename };
    expect((await timelineOf(issue)).slice(1)).toEqual([
      ['attachment.created', { ...about, contentType: 'text/plain', size: 3 }],
      ['attachment.deleted', about],
    ]);
  });

  it('shows a file that is replaced again and again as one line, and the journal every replacement', async () => {
    const issue = await anIssue(editor, project);
    const log = file('one', { filename: 'run.log' });
    const ids = [(await anAttachment(editor, issue, log)).id];
    for (const bytes of ['one two', 'one two three']) {
      const part = file(bytes, { filename: 'run.log' });
      const { status, body } = await replace(editor, issue, ids.at(-1)!, part);
      expect(status).toBe(201);
      ids.push(body.id);
    }
    expect((await timelineOf(issue)).slice(1)).toMatchObject([
      ['attachment.created', { attachmentId: ids[0] }],
    ]);
    const { body: attached } = await editor.get<Identified[]>(`${issuePath(issue)}/attachments`);
    expect(attached).toMatchObject([{ id: ids[2], size: 13 }]);
    const { body: journal } = await service.owner.get<{ data: object }[]>(
      `/api/audit?type=attachment.replaced&subjectId=${ids[2]}`,
    );
    expect(journal.map(({ data }) => data)).toEqual([
      { attachmentId: ids[2], replacedId: ids[1], filename: 'run.log', contentType: 'text/plain', size: 13 },
    ]);
  });

  it('shows a file as new where what it replaces is gone, or belongs to another issue', async () => {
    const [issue, other] = [await anIssue(editor, project), await anIssue(editor, project)];
    const { id } = await anAttachment(editor, other);
    for (const replaced of [UNKNOWN, id]) expect((await replace(editor, issue, replaced)).status).toBe(201);
    expect((await timelineOf(issue)).slice(1).map(([type]) => type)).toEqual(
      Array<string>(2).fill('attachment.created'),
    );
    expect((await editor.get<Identified[]>(`${issuePath(other)}/attachments`)).body).toMatchObject([{ id }]);
    expect(await replace(editor, issue, 'no-id')).toMatchObject({ status: 400 });
  });

  it('lets an agent replace only uploads of its own', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const { id } = await anAttachment(editor, issue);
    expect(await replace(agent, issue, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const own = await anAttachment(agent, issue);
    expect((await replace(agent, issue, own.id)).status).toBe(201);
    const { body } = await editor.get<Identified[]>(`${issuePath(issue)}/attachments`);
    expect(body).toHaveLength(2);
    expect(body).toMatchObject([{ id }, {}]);
  });

  it('shows links from the side of the issue, and their effect on its status', async () => {
    const [blocker, blocked] = [await anIssue(editor, project), await anIssue(editor, project)];
    const { id: linkId } = await aLink(editor, blocker, blocked);
    await editor.delete(`/api/projects/links/${linkId}`);
    const blocks = { linkType: 'Blocks', targetIssueId: blocked.id };
    expect((await timelineOf(blocker)).slice(1)).toEqual([
      ['link.created', blocks],
      ['link.deleted', blocks],
    ]);
    const isBlocked = { linkType: 'BlockedBy', targetIssueId: blocker.id };
    expect((await timelineOf(blocked)).slice(1)).toEqual([
      ['link.created', isBlocked],
      [
        'issue.status_changed',
        { old: 'Open', new: 'WaitingOnDependency', cause: 'link_created', linkId, blockerId: blocker.id },
      ],
      ['link.deleted', isBlocked],
      ['issue.status_changed', { old: 'WaitingOnDependency', new: 'Open', cause: 'link_deleted', linkId }],
    ]);
  });

  it('still shows the link to an issue that was deleted, and its removal', async () => {
    const [blocker, blocked] = [await anIssue(editor, project), await anIssue(editor, project)];
    await aLink(editor, blocker, blocked);
    await editor.delete(`${issuePath(blocker)}?confirm=true`);
    const rows = await timelineOf(blocked);
    for (const type of ['link.created', 'link.deleted'])
      expect(rows).toContainEqual([type, { linkType: 'BlockedBy', targetIssueId: blocker.id }]);
    expect(rows.at(-1)).toMatchObject([
      'issue.status_changed',
      { new: 'Open', cause: 'blocker_deleted', blockerId: blocker.id },
    ]);
  });

  it('shows no changes of goals, projects, agents and other issues', async () => {
    const issue = await anIssue(editor, project);
    await aGoal(editor, project);
    await anAgent(service.owner);
    await aComment(editor, await anIssue(editor, project));
    expect((await timeline(issue)).map(({ type }) => type)).toEqual(['issue.created']);
  });

  it('is returned in pages, in the order in which it was written', async () => {
    const issue = await anIssue(editor, project);
    for (const word of ['1', '2', '3', '4']) await aComment(editor, issue, word);
    const pages: Activity[][] = [];
    let path: string | undefined = `${activityOf(issue)}?limit=2&count=true`;
    while (path) {
      const { body, headers }: Answer<Activity[]> = await viewer.get(path);
      pages.push(body);
      expect(headers['x-total-count']).toBe('5');
      path = /^<(.*)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(await timeline(issue));
    expect(
      (await viewer.get<{ errors: unknown }>(`${activityOf(issue)}?cursor=x`)).body.errors,
    ).toMatchObject([{ path: 'cursor' }]);
  });

  it('is returned newest first on request, with cursors of that direction alone', async () => {
    const issue = await anIssue(editor, project);
    for (const word of ['1', '2', '3']) await aComment(editor, issue, word);
    const path = `${activityOf(issue)}?limit=3&sort=-createdAt`;
    const { body, headers } = await viewer.get<Activity[]>(path);
    const rest = /^<(.*)>; rel="next"$/.exec(headers['link']!)![1]!;
    const last = await viewer.get<Activity[]>(rest);
    expect([...body, ...last.body].toReversed()).toEqual(await timeline(issue));
    expect(last.headers['link']).toBeUndefined();
    const turned = await viewer.get<{ errors: unknown }>(rest.replace('-createdAt', 'createdAt'));
    expect(turned).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
  });

  it('is narrowed to types and to a time, with the count of what is left', async () => {
    const issue = await anIssue(editor, project);
    for (const word of ['1', '2', '3']) await aComment(editor, issue, word);
    await act(issue, 'close');
    const [, first, second, third] = await timeline(issue);
    const listed = async (query: string) => {
      const { body, headers } = await viewer.get<Activity[]>(`${activityOf(issue)}?count=true&${query}`);
      expect(headers['x-total-count']).toBe(String(body.length));
      return body;
    };
    expect(await listed('type=comment.created')).toEqual([first, second, third]);
    expect(await listed(`type=comment.created,issue.created&from=${second!.createdAt}`)).toEqual([
      second,
      third,
    ]);
    expect(await listed(`from=${first!.createdAt}&to=${third!.createdAt}`)).toEqual([first, second]);
    expect(await listed(`to=${issue.createdAt}`)).toEqual([]);
  });

  it.each([
    ['type=login.failed', 'type'],
    ['type=comment.created,comment.created', 'type'],
    ['from=yesterday', 'from'],
    ['sort=position', 'sort'],
    ['fields=all', 'fields'],
  ])('refuses %s', async (query, path) => {
    const issue = await anIssue(editor, project);
    expect(await viewer.get(`${activityOf(issue)}?${query}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    });
  });

  it('leaves out what people wrote on request', async () => {
    const issue = await anIssue(editor, project);
    const { id } = await aComment(editor, issue, 'a long text');
    const { body } = await viewer.get<Activity[]>(`${activityOf(issue)}?fields=summary`);
    expect(body.map(({ data }) => data)).toEqual([
      { title: issue.title, status: 'Open' },
      { commentId: id, authorType: 'User' },
    ]);
  });

  it('shows what a person decided, and only there', async () => {
    const issue = await anIssue(editor, project);
    const gates: Identified[] = [];
    for (const question of ['When?', 'Where?'])
      gates.push(
        await createdBy<Identified>(editor, `${issuePath(issue)}/gates`, {
          question,
          options: ['Here', 'Now'],
        }),
      );
    await editor.post(`/api/projects/gates/${gates[0]!.id}/answer`, { option: 'Now' });
    await editor.post(`/api/projects/gates/${gates[1]!.id}/withdraw`);
    const rows = await timelineOf(issue);
    const answer = { option: 'Now', text: null, fields: null };
    const about = (index: number, title: string) => ({ gateId: gates[index]!.id, kind: 'question', title });
    expect(rows.filter(([type]) => String(type).startsWith('gate.'))).toEqual([
      ['gate.opened', about(0, 'When?')],
      ['gate.opened', about(1, 'Where?')],
      ['gate.answered', { ...about(0, 'When?'), answer }],
      ['gate.withdrawn', about(1, 'Where?')],
    ]);
    const { body } = await viewer.get<Activity[]>(`${activityOf(issue)}?fields=summary&type=gate.answered`);
    expect(body.map(({ data }) => data)).toEqual([about(0, 'When?')]);
  });

  it('is the same by key and by id for users and agents, and is refused without a credential', async () => {
    const issue = await anIssue(editor, project);
    expect(await timeline({ id: issue.key }, await asAgent(service))).toEqual(await timeline(issue));
    expect((await anonymous(service).get(activityOf(issue))).status).toBe(401);
    expect((await viewer.get(activityOf({ id: UNKNOWN }))).status).toBe(404);
  });

  it('cannot be changed, not even in the database', async () => {
    for (const statement of [`UPDATE journal SET type = 'x'`, 'DELETE FROM journal', 'TRUNCATE journal'])
      await expect(service.sql(statement)).rejects.toThrow('append-only');
  });
});

describe('the timeline of a visible issue', () => {
  /** Creates an issue of an open project that was linked to one of a project which then became members-only. */
  async function partedIssues(): Promise<{ open: Issue; hidden: Issue; place: Project }> {
    const place = await aProject(service.owner);
    const hidden = await anIssue(service.owner, place);
    const open = await anIssue(editor, project);
    const link = await aLink(service.owner, hidden, open);
    await service.owner.delete(`/api/projects/links/${link.id}`);
    expect((await service.owner.put(`/api/projects/${place.id}`, { visibility: 'members' })).status).toBe(
      200,
    );
    return { open, hidden, place };
  }

  it('shows neither links to issues of a project that has become members-only nor their ids', async () => {
    const { open, hidden } = await partedIssues();
    for (const caller of [viewer, editor, await asAgent(service)]) {
      const rows = await timeline(open, caller);
      expect(rows.map(({ type }) => type)).toEqual([
        'issue.created',
        'issue.status_changed',
        'issue.status_changed',
      ]);
      expect(JSON.stringify(rows)).not.toContain(hidden.id);
    }
    const { headers } = await viewer.get(`${activityOf(open)}?count=true`);
    expect(headers['x-total-count']).toBe('3');
  });

  it('shows neither after such an issue was deleted', async () => {
    const { open, hidden } = await partedIssues();
    await service.owner.delete(`${issuePath(hidden)}?confirm=true`);
    expect(JSON.stringify(await timeline(open))).not.toContain(hidden.id);
  });

  it('shows both to members of that project', async () => {
    const { open, hidden, place } = await partedIssues();
    const entries = [{ userId: viewer.id, role: 'Viewer' }];
    expect((await service.owner.put(`/api/projects/${place.id}/members`, { entries })).status).toBe(200);
    const rows = await timeline(open);
    expect(
      rows.filter(({ type }) => type.startsWith('link.')).map(({ data }) => data['targetIssueId']),
    ).toEqual([hidden.id, hidden.id]);
    expect(rows[2]?.data).toMatchObject({ blockerId: hidden.id });
  });
});
