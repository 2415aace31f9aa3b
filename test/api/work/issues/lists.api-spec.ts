import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aGoal,
  aLink,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Answer, Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { anIssueIn, read, refusedPaths, type Status } from './issue-acts.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

const pathOfList = (project: Project | null) =>
  project ? `/api/projects/${project.id}/issues` : '/api/projects/issues';
async function list(project: Project | null, query = '', caller = editor): Promise<Issue[]> {
  const answer = await caller.get<Issue[]>(`${pathOfList(project)}${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const idsOf = (issues: { id: string }[]) => issues.map(({ id }) => id);

/** All pages, following `Link` as a client would. */
async function follow(path: string): Promise<Issue[][]> {
  const pages: Issue[][] = [];
  for (let next: string | null = path; next !== null;) {
    const { status, body, headers }: Answer<Issue[]> = await editor.get<Issue[]>(next);
    expect(status).toBe(200);
    pages.push(body);
    next = headers['link'] ? /^<([^>]+)>; rel="next"$/.exec(headers['link'])![1]! : null;
    if (next) next = next.replace(/^https?:\/\/[^/]+/, '');
  }
  return pages;
}

describe('the list of a project', () => {
  it('holds its issues, newest first, each as a single read tells it', async () => {
    const project = await aProject(editor);
    const issues = [await anIssue(editor, project), await anIssueIn(editor, project, 'WaitingOnDependency')];
    const listed = await list(project);
    expect(listed).toHaveLength(3);
    expect(listed[0]!.id).toBe(issues[1]!.id);
    expect(listed).toEqual(await Promise.all(listed.map((issue) => read(editor, issue))));
    expect(await list({ ...project, id: project.key } as Project)).toEqual(listed);
  });

  it('leaves description and links out with fields=summary, and nothing else', async () => {
    const project = await aProject(editor);
    await aLink(editor, await anIssue(editor, project), await anIssue(editor, project), 'RelatedTo');
    const whole = await list(project);
    const summary = await list(project, '?fields=summary');
    expect(
      summary.map((issue, at) => ({
        ...issue,
        description: whole[at]!.description,
        links: whole[at]!.links,
      })),
    ).toEqual(whole);
    for (const issue of summary)
      expect(Object.keys(issue)).not.toEqual(expect.arrayContaining(['description']));
    for (const issue of summary) expect(Object.keys(issue)).not.toEqual(expect.arrayContaining(['links']));
    await refusedPaths(editor.get(`${pathOfList(project)}?fields=all`), 'fields');
  });

  it('is empty for a project without issues and 404 for one that is not there', async () => {
    expect(await list(await aProject(editor))).toEqual([]);
    expect((await editor.get('/api/projects/NOWHERE/issues')).status).toBe(404);
    expect((await editor.get('/api/projects/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff/issues')).status).toBe(404);
  });
});

describe('the list over all projects', () => {
  it('holds what the caller sees and nothing else', async () => {
    const [open, closed] = [await aProject(editor), await aProject(editor, { visibility: 'members' })];
    const [seen, hidden] = [await anIssue(editor, open), await anIssue(editor, closed)];
    const [stranger, agent] = [await asViewer(service), await asAgent(service)];
    expect(idsOf(await list(null))).toEqual(expect.arrayContaining([seen.id, hidden.id]));
    for (const caller of [stranger, agent]) {
      const ids = idsOf(await list(null, '?limit=1000', caller));
      expect(ids).toContain(seen.id);
      expect(ids).not.toContain(hidden.id);
      expect((await caller.get(pathOfList(closed))).status).toBe(404);
      expect(
        (await caller.get(`/api/projects/issues?q=${encodeURIComponent(hidden.title)}&count=true`)).headers[
          'x-total-count'
        ],
      ).toBe('0');
    }
    const entries = [
      { userId: stranger.id, role: 'Viewer' },
      { agentId: agent.id, role: 'Viewer' },
    ];
    await service.owner.put(`/api/projects/${closed.id}/members`, { entries });
    for (const caller of [stranger, agent])
      expect(idsOf(await list(null, '?limit=1000', caller))).toContain(hidden.id);
  });
});

describe('a filter', () => {
  let project: Project;
  const byStatus: Partial<Record<Status, string>> = {};
  beforeAll(async () => {
    project = await aProject(editor);
    for (const status of ['Open', 'InProgress', 'PendingReview', 'Resolved', 'Closed'] as const)
      byStatus[status] = (await anIssueIn(editor, project, status)).id;
    byStatus.WaitingOnDependency = (await anIssue(editor, project, { blockedByIssueId: byStatus.Open })).id;
  });

  it.each(['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'] as const)(
    'by status=%s finds these',
    async (status) => {
      expect(idsOf(await list(project, `?status=${status}`))).toEqual([byStatus[status]]);
    },
  );

  it('by several statuses finds any of them', async () => {
    const found = idsOf(await list(project, '?status=Open,Closed,WaitingOnDependency'));
    expect(found.toSorted()).toEqual(
      [byStatus.Open, byStatus.Closed, byStatus.WaitingOnDependency].toSorted(),
    );
  });

  it('by assigneeId finds an agent’s and a user’s', async () => {
    const agent = await anAgent(service.owner);
    const forAgent = await anIssue(editor, project, { assignedAgentId: agent.id, assigneeUserId: editor.id });
    const forUser = await anIssue(editor, project, { assigneeUserId: editor.id });
    expect(idsOf(await list(project, `?assigneeId=${agent.id}`))).toEqual([forAgent.id]);
    expect(idsOf(await list(project, `?assigneeId=${editor.id}`))).toEqual([forUser.id, forAgent.id]);
    for (const nobody of ['0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff', 'nobody'])
      expect(await list(project, `?assigneeId=${nobody}`)).toEqual([]);
  });

  it('by goalId and by priority finds these, and all filters together narrow', async () => {
    const goal = await aGoal(editor, project);
    const both = await anIssue(editor, project, {
      goalId: goal.id,
      priority: 'urgent',
      title: 'Paint the shed',
    });
    const one = await anIssue(editor, project, { goalId: goal.id, priority: 'low' });
    const other = await anIssue(editor, project, { priority: 'urgent' });
    expect(idsOf(await list(project, `?goalId=${goal.id}`))).toEqual([one.id, both.id]);
    expect(idsOf(await list(project, '?priority=urgent'))).toEqual([other.id, both.id]);
    expect(idsOf(await list(project, '?priority=none'))).not.toContain(both.id);
    expect(
      idsOf(await list(project, `?goalId=${goal.id}&priority=urgent&status=Open,Resolved&q=shed`)),
    ).toEqual([both.id]);
    expect(idsOf(await list(null, `?goalId=${goal.id}&priority=low`))).toEqual([one.id]);
  });

  it('by q finds words of title and description, in any case, all of them', async () => {
    const issue = await anIssue(editor, project, {
      title: 'Zebra crossing',
      description: 'paint it Quokka-yellow; café',
    });
    for (const q of ['zebra', 'ZEBRA', 'crossing zebra', 'quokka', 'zebra yellow', 'café'])
      expect(idsOf(await list(project, `?q=${encodeURIComponent(q)}`))).toEqual([issue.id]);
    for (const q of ['zebra giraffe', 'zeb', "zebra' OR 1=1 --", '%']) {
      const found = await list(project, `?q=${encodeURIComponent(q)}`);
      expect(idsOf(found)).not.toContain(issue.id);
    }
  });

  it.each([
    ['status=Done', 'status'],
    ['status=', 'status'],
    ['status=Open,', 'status'],
    ['status=open', 'status'],
    ['status=Open,Open', 'status'],
    ['status=Open&status=Closed', 'status'],
    ['priority=top', 'priority'],
    ['priority=', 'priority'],
    ['q=', 'q'],
    ['sort=title', 'sort'],
    ['sort=createdAt;drop', 'sort'],
    ['sort=', 'sort'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=-1', 'limit'],
    ['count=1', 'count'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['statuses=Open', 'statuses'],
    ['offset=3', 'offset'],
  ])('%s is 400 and names %s', async (query, path) => {
    await refusedPaths(editor.get(`${pathOfList(project)}?${query}`), path);
    await refusedPaths(editor.get(`${pathOfList(null)}?${query}`), path);
  });

  it('that is nested is 400, never dropped in silence', async () => {
    await refusedPaths(editor.get(`${pathOfList(project)}?status[a]=Open`), 'status[a]');
    await refusedPaths(editor.get(`${pathOfList(project)}?status[]=Open`), 'status[]');
  });
});

describe('an order', () => {
  const SORTS = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'priority', '-priority'] as const;
  const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'];
  let project: Project;
  beforeAll(async () => {
    project = await aProject(editor);
    for (let number = 0; number < 23; number++)
      await anIssue(editor, project, { priority: PRIORITIES[(number * 7) % 5] });
    // Three moments for 23 issues: most share theirs with others, so that only the id tells them apart.
    await service.sql(
      `UPDATE issues SET created_at = timestamptz '2026-01-01' + (number % 3) * interval '1 ms',
                         updated_at = timestamptz '2026-02-01' - (number % 4) * interval '1 ms' WHERE project_id = $1`,
      [project.id],
    );
  });

  const rank = (issue: Issue, by: string): string =>
    by === 'priority'
      ? `${PRIORITIES.indexOf(issue.priority)} ${issue.createdAt} ${issue.id}`
      : `${issue[by as 'createdAt']} ${issue.id}`;

  it.each(SORTS)('by %s is total, the same on every page size, and counts ties once', async (sort) => {
    const all = await list(project, `?sort=${sort}`);
    const by = sort.replace('-', '');
    const expected = all.toSorted((a, b) => (rank(a, by) < rank(b, by) ? -1 : 1));
    if (sort.startsWith('-')) expected.reverse();
    expect(idsOf(all)).toEqual(idsOf(expected));
    expect(new Set(idsOf(all)).size).toBe(23);
    for (const limit of [1, 2, 7, 22, 23, 24]) {
      const pages = await follow(`${pathOfList(project)}?sort=${sort}&limit=${limit}&fields=summary`);
      expect(pages).toHaveLength(Math.ceil(23 / limit));
      expect(idsOf(pages.flat())).toEqual(idsOf(all));
    }
  });

  it('is -createdAt where none is asked for', async () => {
    expect(idsOf(await list(project))).toEqual(idsOf(await list(project, '?sort=-createdAt')));
  });

  it('keeps its filters and its count from page to page', async () => {
    const expected = await list(project, '?priority=low,'.replace(',', ''));
    const pages = await follow(`${pathOfList(project)}?priority=low&limit=2&count=true&sort=updatedAt`);
    expect(idsOf(pages.flat()).toSorted()).toEqual(idsOf(expected).toSorted());
    const first = await editor.get(`${pathOfList(project)}?priority=low&limit=2&count=true`);
    expect(first.headers['x-total-count']).toBe(String(expected.length));
    expect((await editor.get(pathOfList(project))).headers['x-total-count']).toBeUndefined();
  });

  it('refuses a cursor of another order, and one that was bent', async () => {
    const first = await editor.get(`${pathOfList(project)}?sort=createdAt&limit=2`);
    const cursor = new URL(/<([^>]+)>/.exec(first.headers['link']!)![1]!, 'http://x').searchParams.get(
      'cursor',
    )!;
    for (const sort of SORTS.filter((name) => name !== 'createdAt'))
      await refusedPaths(
        editor.get(`${pathOfList(project)}?sort=${sort}&limit=2&cursor=${encodeURIComponent(cursor)}`),
        'cursor',
      );
    for (const bent of [cursor.slice(0, -3), `${cursor}x`, cursor.slice(4), 'null', 'e30'])
      await refusedPaths(
        editor.get(`${pathOfList(project)}?sort=createdAt&cursor=${encodeURIComponent(bent)}`),
        'cursor',
      );
  });

  it('does not lose or repeat what stays while others come and go between pages', async () => {
    const place = await aProject(editor);
    const staying = [];
    for (let number = 0; number < 8; number++) staying.push(await anIssue(editor, place));
    const first = await editor.get<Issue[]>(`${pathOfList(place)}?sort=createdAt&limit=4`);
    await editor.delete(`/api/projects/issues/${staying[1]!.id}?confirm=true`);
    await anIssue(editor, place);
    const next = /<([^>]+)>/.exec(first.headers['link']!)![1]!.replace(/^https?:\/\/[^/]+/, '');
    const second = await editor.get<Issue[]>(next);
    expect(idsOf(second.body)).toEqual(idsOf(staying.slice(4)));
  });
});

it('a list is cut at 500 by default, and tells by Link that there is more', async () => {
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
