import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Link, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  act,
  anIssueIn,
  link,
  must,
  pathOf,
  put,
  read,
  refused,
  refusedPaths,
} from '../issues/issue-acts.js';

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
    '%s is %s here, and on the other side %s and %s: one row told from both',
    async (linkType, direction, otherType, otherDirection) => {
      const [one, other] = await some(2);
      const { status, body, headers } = await link(editor, one, linkType, other);
      expect(status).toBe(201);
      expect(headers['location']).toBe(`/api/projects/links/${String(body['id'])}`);
      const told = await read(editor, other);
      expect(body).toEqual({
        id: expect.any(String),
        issueId: one.id,
        targetIssueId: other.id,
        linkType,
        direction,
        target: { key: other.key, title: other.title, status: told.status },
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
      expect(told.links).toEqual(await linksOf(other));
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

  it('list is oldest first, cut at limit with a Link, and counted when asked', async () => {
    const [hub, ...others] = await some(8);
    for (const [number, other] of others.entries())
      await aLink(editor, number % 2 ? hub : other, number % 2 ? other : hub, 'RelatedTo');
    const all = await linksOf(hub);
    expect(all.map(({ targetIssueId }) => targetIssueId)).toEqual(others.map(({ id }) => id));
    const first = await editor.get<Link[]>(`${pathOf(hub)}/links?limit=3&count=true`);
    expect(first.headers['x-total-count']).toBe('7');
    const second = await editor.get<Link[]>(
      /<([^>]+)>/.exec(first.headers['link']!)![1]!.replace(/^https?:\/\/[^/]+/, ''),
    );
    expect([...first.body, ...second.body]).toEqual(all.slice(0, 6));
    await refusedPaths(editor.get(`${pathOf(hub)}/links?cursor=x`), 'cursor');
    await refusedPaths(editor.get(`${pathOf(hub)}/links?type=Blocks`), 'type');
  });

  it('may cross open projects', async () => {
    const [here, there] = [(await some(1))[0], (await some(1, await aProject(editor)))[0]];
    await aLink(editor, here, there, 'BlockedBy');
    expect((await read(editor, here)).status).toBe('WaitingOnDependency');
    await must(put(editor, there, { status: 'Resolved' }));
    expect((await read(editor, here)).status).toBe('Open');
  });
});

describe('a link is refused', () => {
  it.each([
    ['no target', { linkType: 'Blocks' }, 'targetIssueId'],
    ['no type', { targetIssueId: UNKNOWN }, 'linkType'],
    ['an unknown target', { targetIssueId: UNKNOWN, linkType: 'Blocks' }, 'targetIssueId'],
    ['a target that is no id', { targetIssueId: 'nope', linkType: 'Blocks' }, 'targetIssueId'],
    ['null as target', { targetIssueId: null, linkType: 'Blocks' }, 'targetIssueId'],
    ['an unknown type', { targetIssueId: UNKNOWN, linkType: 'blocks' }, 'linkType'],
    ['an unknown field', { targetIssueId: UNKNOWN, linkType: 'Blocks', note: 'x' }, 'note'],
  ])('with %s, on its path', async (_fault, body, path) => {
    const [issue] = await some(1);
    await refusedPaths(editor.post(`${pathOf(issue)}/links`, body), path);
  });

  it.each(TYPES)('%s to itself', async (linkType) => {
    const [issue] = await some(1);
    await refusedPaths(link(editor, issue, linkType, issue), 'targetIssueId');
    await refusedPaths(link(editor, issue, linkType, { id: issue.key }), 'targetIssueId');
    expect(await linksOf(issue)).toEqual([]);
  });

  it.each([
    ['Blocks', 'Blocks', 'same'],
    ['Blocks', 'BlockedBy', 'other'],
    ['BlockedBy', 'BlockedBy', 'same'],
    ['BlockedBy', 'Blocks', 'other'],
    ['RelatedTo', 'RelatedTo', 'same'],
    ['RelatedTo', 'RelatedTo', 'other'],
    ['DuplicateOf', 'DuplicateOf', 'same'],
  ])('as there already: %s, then %s from the %s side', async (first, again, side) => {
    const [one, other] = await some(2);
    await aLink(editor, one, other, first);
    const attempt = side === 'same' ? link(editor, one, again, other) : link(editor, other, again, one);
    await refused(attempt, 409, 'link_exists');
    expect(await linksOf(one)).toHaveLength(1);
  });

  it.each(['Blocks', 'BlockedBy'] as const)(
    'where it would close a circle of blocking, however long, told with its path (%s)',
    async (spelling) => {
      for (const length of [2, 3, 6]) {
        const issues = await some(length);
        const [first, last] = [issues[0], issues.at(-1)!];
        for (let at = 1; at < length; at++) await aLink(editor, issues[at - 1]!, issues[at]!);
        const attempt =
          spelling === 'Blocks'
            ? link(editor, last, 'Blocks', first)
            : link(editor, first, 'BlockedBy', last);
        const refusal = await refused(attempt, 409, 'dependency_cycle');
        const path = refusal['path'] as unknown as { id: string; key: string }[];
        expect(new Set(path.map(({ id }) => id))).toEqual(new Set(issues.map(({ id }) => id)));
        expect(path.map(({ key }) => key)).toEqual([last.key, ...issues.map(({ key }) => key)]);
        expect((await read(editor, first)).status).toBe('Open');
      }
    },
  );

  it('where the circle was made of BlockedBy links', async () => {
    const [a, b, c] = await some(3);
    await aLink(editor, b, a, 'BlockedBy');
    await aLink(editor, c, b, 'BlockedBy');
    await refused(link(editor, a, 'BlockedBy', c), 409, 'dependency_cycle');
    await refused(link(editor, c, 'Blocks', a), 409, 'dependency_cycle');
    await aLink(editor, a, c, 'RelatedTo');
    await aLink(editor, c, a, 'DuplicateOf');
  });

  it('where the circle runs over issues that are finished', async () => {
    const [a, b, c] = await some(3);
    await aLink(editor, a, b);
    await aLink(editor, b, c);
    for (const end of [
      () => put(editor, b, { status: 'Resolved' }),
      () => act(editor, b, 'close?force=true'),
    ]) {
      await must(end());
      await refused(link(editor, c, 'Blocks', a), 409, 'dependency_cycle');
    }
  });

  it('where it would cross the wall of a members-only project, from either side', async () => {
    const closed = await aProject(editor, { visibility: 'members' });
    const [inside, neighbour] = await some(2, closed);
    const [outside] = await some(1);
    for (const linkType of TYPES) {
      await refused(link(editor, inside, linkType, outside), 409, 'cross_project_link');
      await refused(link(editor, outside, linkType, inside), 409, 'cross_project_link');
    }
    await aLink(editor, inside, neighbour);
    const second = (await some(1, await aProject(editor, { visibility: 'members' })))[0];
    await refused(link(editor, inside, 'RelatedTo', second), 409, 'cross_project_link');
  });

  it('at 2,000 links of an issue, from either side', async () => {
    const [hub, other] = await some(2);
    await service.sql(
      `WITH made AS (INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
         SELECT gen_random_uuid(), $1, 100000 + n, 'Issue', 'Open', 'system', 'test' FROM generate_series(1, 1999) AS n RETURNING id)
       INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $2, id, 'RelatedTo', 'system', 'test' FROM made`,
      [project.id, hub.id],
    );
    const { id } = await aLink(editor, other, hub, 'DuplicateOf');
    const [third] = await some(1);
    await refused(link(editor, hub, 'Blocks', third), 409, 'link_limit');
    await refused(link(editor, third, 'Blocks', hub), 409, 'link_limit');
    await must(editor.delete(`/api/projects/links/${id}`));
    await aLink(editor, hub, third);
  });

  it('for the first of its faults: self, closed, exists, circle', async () => {
    const [a, b] = await some(2);
    await aLink(editor, a, b);
    await must(put(editor, b, { status: 'Closed' }));
    await refused(link(editor, a, 'Blocks', b), 409, 'invalid_transition');
    await refusedPaths(link(editor, b, 'BlockedBy', b), 'targetIssueId');
    await must(put(editor, b, { status: 'Open' }));
    await must(act(editor, a, 'close?force=true'));
    await refused(link(editor, b, 'Blocks', a), 409, 'invalid_transition');
    await refused(link(editor, a, 'Blocks', b), 409, 'link_exists');
  });
});

it('a project with links to others cannot become members-only, and can once they are gone', async () => {
  const place = await aProject(editor);
  const [here, there] = [(await some(1, place))[0], (await some(1))[0]];
  const { id } = await aLink(editor, there, here, 'RelatedTo');
  const close = () => editor.put(`/api/projects/${place.id}`, { visibility: 'members' });
  await refused(close(), 409, 'cross_project_link');
  await must(editor.delete(`/api/projects/links/${id}`));
  expect((await close()).status).toBe(200);
});

describe('removing a link', () => {
  it.each(TYPES)('%s takes it from both sides', async (linkType) => {
    const [one, other] = await some(2);
    const { id } = await aLink(editor, one, other, linkType);
    expect(await editor.delete(`/api/projects/links/${id}`)).toMatchObject({ status: 204, text: '' });
    expect([await linksOf(one), await linksOf(other)]).toEqual([[], []]);
    await refused(editor.delete(`/api/projects/links/${id}`), 404, 'not_found');
  });

  it('that names nothing is 404', async () => {
    for (const id of [UNKNOWN, 'x', '1'])
      await refused(editor.delete(`/api/projects/links/${id}`), 404, 'not_found');
  });

  it('leaves an issue that is finished as it is', async () => {
    const [blocker, blocked] = await some(2);
    const { id } = await aLink(editor, blocker, blocked);
    await must(put(editor, blocked, { status: 'Resolved' }));
    const before = await read(editor, blocked);
    await must(editor.delete(`/api/projects/links/${id}`));
    expect(await read(editor, blocked)).toMatchObject({ status: 'Resolved', version: before.version });
  });
});

describe('an agent', () => {
  it('makes and removes blocking links only where the blocked end is its own and not Resolved', async () => {
    const agent = await asAgent(service);
    const foreign = await anIssue(editor, project);
    const assigned = await anIssue(editor, project, { assignedAgentId: agent.id });
    const created = await anIssue(agent, project);
    const blocker = await anIssue(editor, project);
    await refused(link(agent, foreign, 'BlockedBy', blocker), 403, 'forbidden');
    await refused(link(agent, blocker, 'Blocks', foreign), 403, 'forbidden');
    await refused(link(agent, assigned, 'Blocks', foreign), 403, 'forbidden');
    for (const own of [assigned, created]) {
      const made = await must(link(agent, own, 'BlockedBy', blocker));
      expect((await agent.delete(`/api/projects/links/${String(made['id'])}`)).status).toBe(204);
      const mirrored = await must(link(agent, blocker, 'Blocks', own));
      await must(put(editor, own, { status: 'Resolved' }));
      await refused(agent.delete(`/api/projects/links/${String(mirrored['id'])}`), 403, 'forbidden');
      await refused(link(agent, own, 'BlockedBy', foreign), 403, 'forbidden');
    }
    const others = await aLink(editor, blocker, foreign);
    await refused(agent.delete(`/api/projects/links/${others.id}`), 403, 'forbidden');
  });

  it('makes and removes other links freely in what it sees, told as made by it', async () => {
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
  it('does not make an issue wait, nor frees one, where it may only read', async () => {
    const viewer = await asViewer(service);
    const mine = await aProject(editor);
    await service.owner.put(`/api/projects/${mine.id}/members`, {
      entries: [{ userId: viewer.id, role: 'Editor' }],
    });
    const [own, foreign] = [(await some(1, mine))[0], (await some(1))[0]];
    await refused(link(viewer, own, 'Blocks', foreign), 403, 'forbidden');
    await refused(link(viewer, foreign, 'BlockedBy', own), 403, 'forbidden');
    const made = await must(link(viewer, own, 'BlockedBy', foreign));
    expect((await viewer.delete(`/api/projects/links/${String(made['id'])}`)).status).toBe(204);
    const blocking = await aLink(editor, own, foreign);
    await refused(viewer.delete(`/api/projects/links/${blocking.id}`), 403, 'forbidden');
  });
});

it('an Idempotency-Key makes one link and gives the first answer again', async () => {
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
