import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Link, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  act,
  link,
  expectSuccess,
  pathOf,
  put,
  read,
  expectRefused,
  expectInvalidPaths,
} from '../issues/issue-requests.js';

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

describe('a link is rejected', () => {
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
    await expectInvalidPaths(editor.post(`${pathOf(issue)}/links`, body), path);
  });

  it.each(TYPES)('%s to itself', async (linkType) => {
    const [issue] = await some(1);
    await expectInvalidPaths(link(editor, issue, linkType, issue), 'targetIssueId');
    await expectInvalidPaths(link(editor, issue, linkType, { id: issue.key }), 'targetIssueId');
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
    await expectRefused(attempt, 409, 'link_exists');
    expect(await linksOf(one)).toHaveLength(1);
  });

  it.each(['Blocks', 'BlockedBy'] as const)(
    'when it would close a cycle of blocking, however long, with the path of the cycle (%s)',
    async (spelling) => {
      for (const length of [2, 3, 6]) {
        const issues = await some(length);
        const [first, last] = [issues[0], issues.at(-1)!];
        for (let at = 1; at < length; at++) await aLink(editor, issues[at - 1]!, issues[at]!);
        const attempt =
          spelling === 'Blocks'
            ? link(editor, last, 'Blocks', first)
            : link(editor, first, 'BlockedBy', last);
        const refusal = await expectRefused(attempt, 409, 'dependency_cycle');
        const path = refusal['path'] as unknown as { id: string; key: string }[];
        expect(new Set(path.map(({ id }) => id))).toEqual(new Set(issues.map(({ id }) => id)));
        expect(path.map(({ key }) => key)).toEqual([last.key, ...issues.map(({ key }) => key)]);
        expect((await read(editor, first)).status).toBe('Open');
      }
    },
  );

  it('when it would close a cycle of 60 issues, of which the path shows 50', async () => {
    const issues = await some(60);
    for (const [at, issue] of issues.slice(1).entries()) await aLink(editor, issues[at]!, issue);
    const [first, last] = [issues[0]!, issues.at(-1)!];
    const refusal = await expectRefused(link(editor, last, 'Blocks', first), 409, 'dependency_cycle');
    const path = refusal['path'] as unknown as { key: string }[];
    expect([path.length, refusal['omitted'], path[0]!.key, path.at(-1)!.key]).toEqual([
      50,
      11,
      last.key,
      last.key,
    ]);
  });

  it('when the cycle consists of BlockedBy links', async () => {
    const [a, b, c] = await some(3);
    await aLink(editor, b, a, 'BlockedBy');
    await aLink(editor, c, b, 'BlockedBy');
    await expectRefused(link(editor, a, 'BlockedBy', c), 409, 'dependency_cycle');
    await expectRefused(link(editor, c, 'Blocks', a), 409, 'dependency_cycle');
    await aLink(editor, a, c, 'RelatedTo');
    await aLink(editor, c, a, 'DuplicateOf');
  });

  it('when the cycle passes through resolved or closed issues', async () => {
    const [a, b, c] = await some(3);
    await aLink(editor, a, b);
    await aLink(editor, b, c);
    for (const end of [
      () => put(editor, b, { status: 'Resolved' }),
      () => act(editor, b, 'close?force=true'),
    ]) {
      await expectSuccess(end());
      await expectRefused(link(editor, c, 'Blocks', a), 409, 'dependency_cycle');
    }
  });

  it('when it would cross the boundary of a members-only project, from either side', async () => {
    const closed = await aProject(editor, { visibility: 'members' });
    const [inside, neighbour] = await some(2, closed);
    const [outside] = await some(1);
    for (const linkType of TYPES) {
      await expectRefused(link(editor, inside, linkType, outside), 409, 'cross_project_link');
      await expectRefused(link(editor, outside, linkType, inside), 409, 'cross_project_link');
    }
    await aLink(editor, inside, neighbour);
    const second = (await some(1, await aProject(editor, { visibility: 'members' })))[0];
    await expectRefused(link(editor, inside, 'RelatedTo', second), 409, 'cross_project_link');
  });

  it('when an issue has 2,000 links, from either side', async () => {
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
    await expectRefused(link(editor, hub, 'Blocks', third), 409, 'link_limit');
    await expectRefused(link(editor, third, 'Blocks', hub), 409, 'link_limit');
    await expectSuccess(editor.delete(`/api/projects/links/${id}`));
    await aLink(editor, hub, third);
  });

  it('with the first of its errors: self, closed, exists, cycle', async () => {
    const [a, b] = await some(2);
    await aLink(editor, a, b);
    await expectSuccess(put(editor, b, { status: 'Closed' }));
    await expectRefused(link(editor, a, 'Blocks', b), 409, 'invalid_transition');
    await expectInvalidPaths(link(editor, b, 'BlockedBy', b), 'targetIssueId');
    await expectSuccess(put(editor, b, { status: 'Open' }));
    await expectSuccess(act(editor, a, 'close?force=true'));
    await expectRefused(link(editor, b, 'Blocks', a), 409, 'invalid_transition');
    await expectRefused(link(editor, a, 'Blocks', b), 409, 'link_exists');
  });
});

it('a project with links to others cannot become members-only, and can once they are gone', async () => {
  const place = await aProject(editor);
  const [here, there] = [(await some(1, place))[0], (await some(1))[0]];
  const { id } = await aLink(editor, there, here, 'RelatedTo');
  const close = () => editor.put(`/api/projects/${place.id}`, { visibility: 'members' });
  await expectRefused(close(), 409, 'cross_project_link');
  await expectSuccess(editor.delete(`/api/projects/links/${id}`));
  expect((await close()).status).toBe(200);
});
