import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvalidPaths } from './issue-requests.js';
import { readAllPages, idsOf, listed, nextOf, pathOfList } from './list-requests.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

const list = (project: Project | null, query = '') => listed(editor, project, query);

describe('a page', () => {
  it('ends early where its issues have 4 MiB, and the next one continues after it', async () => {
    const project = await aProject(editor);
    const description = 'd'.repeat(65_536);
    for (let number = 0; number < 70; number += 1) await anIssue(editor, project, { description });
    const path = `${pathOfList(project)}?limit=1000`;
    const first = await editor.get<Issue[]>(path);
    expect(first.body.length).toBeGreaterThan(30);
    expect(first.body.length).toBeLessThan(65);
    const rest = await editor.get<Issue[]>(nextOf(first)!);
    expect(first.body.length + rest.body.length).toBe(70);
    expect(new Set([...idsOf(first.body), ...idsOf(rest.body)]).size).toBe(70);
    const summaries = await editor.get<Issue[]>(`${path}&fields=summary`);
    expect(summaries.body).toHaveLength(70);
  });
});

describe('an order', () => {
  const SORTS = ['createdAt', 'updatedAt', 'priority', 'status'].flatMap((by) => [by, `-${by}`]);
  const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'];
  const STATUSES = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'];
  let project: Project;
  beforeAll(async () => {
    project = await aProject(editor);
    for (let number = 0; number < 23; number++)
      await anIssue(editor, project, { priority: PRIORITIES[(number * 7) % 5] });
    // 23 issues share three times of creation, so that only the id orders most of them.
    await service.sql(
      `UPDATE issues SET created_at = timestamptz '2026-01-01' + (number % 3) * interval '1 ms',
                         status = ('{Open,InProgress,PendingReview,Resolved,Closed}'::text[])[1 + number % 5],
                         updated_at = timestamptz '2026-02-01' - (number % 4) * interval '1 ms' WHERE project_id = $1`,
      [project.id],
    );
  });

  const rank = (issue: Issue, by: string): string => {
    const first = { priority: PRIORITIES.indexOf(issue.priority), status: STATUSES.indexOf(issue.status) };
    return by === 'priority' || by === 'status'
      ? `${first[by]} ${issue.createdAt} ${issue.id}`
      : `${issue[by as 'createdAt']} ${issue.id}`;
  };

  it.each(SORTS)('by %s is total and the same for every page size, and returns ties once', async (sort) => {
    const all = await list(project, `?sort=${sort}`);
    const by = sort.replace('-', '');
    const expected = all.toSorted((a, b) => (rank(a, by) < rank(b, by) ? -1 : 1));
    if (sort.startsWith('-')) expected.reverse();
    expect(idsOf(all)).toEqual(idsOf(expected));
    expect(new Set(idsOf(all)).size).toBe(23);
    for (const limit of [1, 2, 7, 22, 23, 24]) {
      const pages = await readAllPages(
        editor,
        `${pathOfList(project)}?sort=${sort}&limit=${limit}&fields=summary`,
      );
      expect(pages).toHaveLength(Math.ceil(23 / limit));
      expect(idsOf(pages.flat())).toEqual(idsOf(all));
    }
  });

  it.each(['status', '-status', '-updatedAt', 'priority'])(
    'by %s is the same with several values of each filter, one page after the other',
    async (sort) => {
      const query = `sort=${sort}&status=Closed,Open,PendingReview&priority=low,urgent,none`;
      const all = await list(project, `?${query}&limit=1000`);
      expect(all.length).toBeGreaterThan(3);
      const pages = await readAllPages(editor, `${pathOfList(project)}?${query}&limit=2`);
      expect(idsOf(pages.flat())).toEqual(idsOf(all));
    },
  );

  it('is -createdAt by default', async () => {
    expect(idsOf(await list(project))).toEqual(idsOf(await list(project, '?sort=-createdAt')));
  });

  it('keeps its filters and its count across pages', async () => {
    const expected = await list(project, '?priority=low');
    const pages = await readAllPages(
      editor,
      `${pathOfList(project)}?priority=low&limit=2&count=true&sort=updatedAt`,
    );
    expect(idsOf(pages.flat()).toSorted()).toEqual(idsOf(expected).toSorted());
    const first = await editor.get(`${pathOfList(project)}?priority=low&limit=2&count=true`);
    expect(first.headers['x-total-count']).toBe(String(expected.length));
    expect((await editor.get(pathOfList(project))).headers['x-total-count']).toBeUndefined();
  });

  it('rejects a cursor of another order and one that was altered', async () => {
    const first = await editor.get(`${pathOfList(project)}?sort=createdAt&limit=2`);
    const cursor = new URL(nextOf(first)!, 'http://x').searchParams.get('cursor')!;
    for (const sort of SORTS.filter((name) => name !== 'createdAt'))
      await expectInvalidPaths(
        editor.get(`${pathOfList(project)}?sort=${sort}&limit=2&cursor=${encodeURIComponent(cursor)}`),
        'cursor',
      );
    for (const bent of [cursor.slice(0, -3), `${cursor}x`, cursor.slice(4), 'null', 'e30'])
      await expectInvalidPaths(
        editor.get(`${pathOfList(project)}?sort=createdAt&cursor=${encodeURIComponent(bent)}`),
        'cursor',
      );
  });

  it('neither loses nor repeats an issue while others are created and deleted between pages', async () => {
    const place = await aProject(editor);
    const staying = [];
    for (let number = 0; number < 8; number++) staying.push(await anIssue(editor, place));
    const first = await editor.get<Issue[]>(`${pathOfList(place)}?sort=createdAt&limit=4`);
    await editor.delete(`/api/projects/issues/${staying[1]!.id}?confirm=true`);
    await anIssue(editor, place);
    const second = await editor.get<Issue[]>(nextOf(first)!);
    expect(idsOf(second.body)).toEqual(idsOf(staying.slice(4)));
  });

  it('by status returns each issue that keeps its status once while others change theirs between pages', async () => {
    const place = await aProject(editor);
    const made: Issue[] = [];
    for (let number = 0; number < 9; number++) made.push(await anIssue(editor, place));
    const first = await editor.get<Issue[]>(`${pathOfList(place)}?sort=status&limit=4`);
    // One of the page that was read moves behind it, one of a later page to its end.
    for (const at of [1, 6]) await editor.put(`/api/projects/issues/${made[at]!.id}`, { status: 'Resolved' });
    const pages = await readAllPages(editor, nextOf(first)!);
    const later = idsOf(pages.flat());
    expect(later).toEqual(idsOf([4, 5, 7, 8, 1, 6].map((at) => made[at]!)));
  });
});

it('a list returns 500 issues by default, with a Link to the next page', async () => {
  const project = await aProject(editor);
  await service.sql(
    `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
     SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Open', 'system', 'test' FROM generate_series(1, 501) AS n`,
    [project.id],
  );
  const { body, headers } = await editor.get<Issue[]>(`${pathOfList(project)}?fields=summary`);
  expect(body).toHaveLength(500);
  expect(headers['link']).toMatch(/rel="next"/);
  const whole = await editor.get<Issue[]>(`${pathOfList(project)}?limit=1000&count=true&fields=summary`);
  expect(whole.body).toHaveLength(501);
  expect(whole.headers).toMatchObject({ 'x-total-count': '501' });
  expect(whole.headers['link']).toBeUndefined();
});
