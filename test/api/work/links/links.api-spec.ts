import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Link, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  anIssueIn,
  link,
  expectSuccess,
  pathOf,
  put,
  read,
  expectRefused,
  expectInvalidPaths,
} from '../issues/issue-requests.js';
import { nextOf } from '../issues/list-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const some = (count: number, place: Project = project) =>
  Promise.all(Array.from({ length: count }, () => anIssue(editor, place))) as Promise<
    [Issue, Issue, Issue, ...Issue[]]
  >;
const linksOf = async (issue: { id: string }) => (await editor.get<Link[]>(`${pathOf(issue)}/links`)).body;
const TYPES = ['Blocks', 'BlockedBy', 'RelatedTo', 'DuplicateOf'] as const;
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

describe('a link', () => {
  it.each([
    ['Blocks', 'outgoing', 'BlockedBy', 'incoming'],
    ['BlockedBy', 'incoming', 'Blocks', 'outgoing'],
    ['RelatedTo', 'outgoing', 'RelatedTo', 'incoming'],
    ['DuplicateOf', 'outgoing', 'DuplicateOf', 'incoming'],
  ])(
    '%s is %s here, and %s and %s on the other side: both sides show the same row',
    async (linkType, direction, otherType, otherDirection) => {
      const [one, other] = await some(2);
      const { status, body, headers } = await link(editor, one, linkType, other);
      expect(status).toBe(201);
      expect(headers['location']).toBe(`/api/projects/links/${String(body['id'])}`);
      const otherIssue = await read(editor, other);
      expect(body).toEqual({
        id: expect.any(String),
        issueId: one.id,
        targetIssueId: other.id,
        linkType,
        direction,
        target: { key: other.key, title: other.title, status: otherIssue.status },
        createdBy: { type: 'user', id: editor.id, name: editor.name },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(await linksOf(one)).toEqual([body]);
      expect((await read(editor, one)).links).toEqual([body]);
      const after = await read(editor, one);
      expect(await linksOf(other)).toEqual([
        {
          ...body,
          issueId: other.id,
          targetIssueId: one.id,
          linkType: otherType,
          direction: otherDirection,
          target: { key: one.key, title: one.title, status: after.status },
        },
      ]);
      expect(otherIssue.links).toEqual(await linksOf(other));
    },
  );

  it('of each type may stand between the same two issues', async () => {
    const [one, other] = await some(2);
    for (const linkType of ['Blocks', 'RelatedTo', 'DuplicateOf']) await aLink(editor, one, other, linkType);
    await aLink(editor, other, one, 'DuplicateOf');
    expect((await linksOf(one)).map(({ linkType, direction }) => `${linkType} ${direction}`)).toEqual([
      'Blocks outgoing',
      'RelatedTo outgoing',
      'DuplicateOf outgoing',
      'DuplicateOf incoming',
    ]);
  });

  it('list is oldest first, ends at limit with a Link, and is counted on request', async () => {
    const [hub, ...others] = await some(8);
    for (const [number, other] of others.entries())
      await aLink(editor, number % 2 ? hub : other, number % 2 ? other : hub, 'RelatedTo');
    const all = await linksOf(hub);
    expect(all.map(({ targetIssueId }) => targetIssueId)).toEqual(others.map(({ id }) => id));
    const first = await editor.get<Link[]>(`${pathOf(hub)}/links?limit=3&count=true`);
    expect(first.headers['x-total-count']).toBe('7');
    const second = await editor.get<Link[]>(nextOf(first)!);
    expect([...first.body, ...second.body]).toEqual(all.slice(0, 6));
    await expectInvalidPaths(editor.get(`${pathOf(hub)}/links?cursor=x`), 'cursor');
    await expectInvalidPaths(editor.get(`${pathOf(hub)}/links?type=Blocks`), 'type');
  });

  it('may connect issues of different open projects', async () => {
    const [here, there] = [(await some(1))[0], (await some(1, await aProject(editor)))[0]];
    await aLink(editor, here, there, 'BlockedBy');
    expect((await read(editor, here)).status).toBe('WaitingOnDependency');
    await expectSuccess(put(editor, there, { status: 'Resolved' }));
    expect((await read(editor, here)).status).toBe('Open');
  });
});

describe('removing a link', () => {
  it.each(TYPES)('%s removes it from both sides', async (linkType) => {
    const [one, other] = await some(2);
    const { id } = await aLink(editor, one, other, linkType);
    expect(await editor.delete(`/api/projects/links/${id}`)).toMatchObject({ status: 204, text: '' });
    expect([await linksOf(one), await linksOf(other)]).toEqual([[], []]);
    await expectRefused(editor.delete(`/api/projects/links/${id}`), 404, 'not_found');
  });

  it('that does not exist returns 404', async () => {
    for (const id of [UNKNOWN, 'x', '1'])
      await expectRefused(editor.delete(`/api/projects/links/${id}`), 404, 'not_found');
  });

  it('does not change a finished issue', async () => {
    const [blocker, blocked] = await some(2);
    const { id } = await aLink(editor, blocker, blocked);
    await expectSuccess(put(editor, blocked, { status: 'Resolved' }));
    const before = await read(editor, blocked);
    await expectSuccess(editor.delete(`/api/projects/links/${id}`));
    expect(await read(editor, blocked)).toMatchObject({ status: 'Resolved', version: before.version });
  });
});

describe('an agent', () => {
  it('creates and removes blocking links only where the blocked issue is its own and not Resolved', async () => {
    const agent = await asAgent(service);
    const foreign = await anIssue(editor, project);
    const assigned = await anIssue(editor, project, { assignedAgentId: agent.id });
    const created = await anIssue(agent, project);
    const blocker = await anIssue(editor, project);
    await expectRefused(link(agent, foreign, 'BlockedBy', blocker), 403, 'forbidden');
    await expectRefused(link(agent, blocker, 'Blocks', foreign), 403, 'forbidden');
    await expectRefused(link(agent, assigned, 'Blocks', foreign), 403, 'forbidden');
    for (const own of [assigned, created]) {
      const made = await expectSuccess(link(agent, own, 'BlockedBy', blocker));
      expect((await agent.delete(`/api/projects/links/${String(made['id'])}`)).status).toBe(204);
      const mirrored = await expectSuccess(link(agent, blocker, 'Blocks', own));
      await expectSuccess(put(editor, own, { status: 'Resolved' }));
      await expectRefused(agent.delete(`/api/projects/links/${String(mirrored['id'])}`), 403, 'forbidden');
      await expectRefused(link(agent, own, 'BlockedBy', foreign), 403, 'forbidden');
    }
    const others = await aLink(editor, blocker, foreign);
    await expectRefused(agent.delete(`/api/projects/links/${others.id}`), 403, 'forbidden');
  });

  it('creates and removes other links between all issues that it sees, and createdBy names it', async () => {
    const agent = await asAgent(service);
    const [one, other] = await some(2);
    for (const linkType of ['RelatedTo', 'DuplicateOf'] as const) {
      const made = await aLink(agent, one, other, linkType);
      expect(made.createdBy).toEqual({ type: 'agent', id: agent.id, name: agent.name });
      expect((await agent.delete(`/api/projects/links/${made.id}`)).status).toBe(204);
    }
  });
});

describe('a person', () => {
  it('cannot block or unblock an issue that it may only read', async () => {
    const viewer = await asViewer(service);
    const mine = await aProject(editor);
    await service.owner.put(`/api/projects/${mine.id}/members`, {
      entries: [{ userId: viewer.id, role: 'Editor' }],
    });
    const [own, foreign] = [(await some(1, mine))[0], (await some(1))[0]];
    await expectRefused(link(viewer, own, 'Blocks', foreign), 403, 'forbidden');
    await expectRefused(link(viewer, foreign, 'BlockedBy', own), 403, 'forbidden');
    const made = await expectSuccess(link(viewer, own, 'BlockedBy', foreign));
    expect((await viewer.delete(`/api/projects/links/${String(made['id'])}`)).status).toBe(204);
    const blocking = await aLink(editor, own, foreign);
    await expectRefused(viewer.delete(`/api/projects/links/${blocking.id}`), 403, 'forbidden');
  });
});

it('a repeated Idempotency-Key creates one link and returns the first response again', async () => {
  const [one, other] = await some(2);
  const once = () =>
    editor.post(
      `${pathOf(one)}/links`,
      { targetIssueId: other.id, linkType: 'Blocks' },
      { headers: { 'idempotency-key': 'link' } },
    );
  const [first, again] = [await once(), await once()];
  expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } });
  await anIssueIn(editor, project, 'Open');
  expect(await linksOf(one)).toHaveLength(1);
});
