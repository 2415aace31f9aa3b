import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import { createDatabase, type TestDatabase } from '../../../support/postgres.mjs';
import { startService, type Service } from '../../../support/service.js';
import { expectInvariants } from './invariants.js';
import { act, expectSuccess, put, read, remove } from './issue-requests.js';
import { aLayeredPlan, plan, type Planned } from '../plans/plan-requests.js';
import { StatementCounter } from './statement-counter.js';

const DEPENDENTS = 1_000;

let database: TestDatabase;
let counter: StatementCounter;
let service: Service;
let editor: Caller;
let project: Project;
beforeAll(async () => {
  database = await createDatabase();
  counter = await StatementCounter.before(database.url);
  service = await startService({ database: { url: counter.url } });
  editor = await asEditor(service);
  project = await aProject(editor);
});
afterAll(async () => {
  await service.remove();
  await counter.close();
  await database.drop();
});

/** Allows for statements of the service's own (last use of a key, sweeps). One per dependent would be 1,000. */
const BESIDE = 10;

/** Creates an issue that blocks this many others. */
async function aBlockerOf(dependents: number): Promise<Issue> {
  const blocker = await anIssue(editor, project);
  await service.sql(
    `WITH taken AS (UPDATE projects SET last_issue_number = last_issue_number + $3 WHERE id = $1 RETURNING last_issue_number - $3 AS before),
       made AS (INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
         SELECT gen_random_uuid(), $1, before + n, 'Dependent', 'WaitingOnDependency', 'system', 'test' FROM taken, generate_series(1, $3::int) AS n
         RETURNING id)
     INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
     SELECT gen_random_uuid(), $2, id, 'Blocks', 'system', 'test' FROM made`,
    [project.id, blocker.id, dependents],
  );
  return blocker;
}

const CHANGES: Record<string, (issue: Issue) => Promise<unknown>> = {
  'resolving it': (issue) => expectSuccess(put(editor, issue, { status: 'Resolved' })),
  'closing it by force': (issue) => expectSuccess(act(editor, issue, 'close?force=true')),
  'deleting it': (issue) => expectSuccess(remove(editor, issue)),
};

describe(`an issue that blocks ${DEPENDENTS} others`, () => {
  it.each(Object.keys(CHANGES))(
    'takes as few statements as one that blocks a single issue, when %s',
    async (change) => {
      const [few, many] = [await aBlockerOf(1), await aBlockerOf(DEPENDENTS)];
      const forFew = await counter.during(() => CHANGES[change]!(few));
      const forMany = await counter.during(() => CHANGES[change]!(many));
      expect(forMany).toBeLessThan(forFew + BESIDE);
      expect(forMany).toBeLessThan(25 + BESIDE);
      const left = await service.sql(
        `SELECT 1 FROM issues WHERE project_id = $1 AND status = 'WaitingOnDependency'`,
        [project.id],
      );
      expect(left).toEqual([]);
    },
  );

  it('takes as few statements when it is reopened and blocks them all again', async () => {
    const [few, many] = [await aBlockerOf(1), await aBlockerOf(DEPENDENTS)];
    for (const blocker of [few, many]) await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    const forFew = await counter.during(() => put(editor, few, { status: 'Open' }));
    const forMany = await counter.during(() => put(editor, many, { status: 'Open' }));
    expect(forMany).toBeLessThan(forFew + BESIDE);
    await expectInvariants(service);
  });
});

it('a plan of 500 issues with 2,000 lines takes as few statements as one of two issues', async () => {
  const blocker = await anIssue(editor, project);
  const named = (planned: Planned[]) => [
    ...planned.slice(1),
    { ref: planned[0]!.ref, blockedBy: [blocker.id] },
  ];
  const send = (planned: Planned[]) => expectSuccess(plan(editor, project, named(planned)));
  const many = aLayeredPlan(500, 50, 5);
  expect(many.flatMap(({ blockedBy }) => blockedBy).length).toBeGreaterThan(2_000);
  const forFew = await counter.leastDuring(() => send(aLayeredPlan(2, 1, 1)));
  const forMany = await counter.leastDuring(() => send(many));
  expect(forMany).toBeLessThan(forFew + BESIDE);
  expect(forMany).toBeLessThan(15 + BESIDE);
  await expectInvariants(service);
});

it('the graph around an issue takes as few statements for a thousand issues as for one', async () => {
  const [few, many] = [await aBlockerOf(1), await aBlockerOf(DEPENDENTS)];
  const path = (issue: Issue) => `/api/projects/${project.id}/graph?limit=500&depth=1&focus=${issue.id}`;
  const forFew = await counter.leastDuring(() => editor.get(path(few)));
  const forMany = await counter.leastDuring(() => editor.get(path(many)));
  expect(forMany).toBeLessThan(forFew + BESIDE);
  expect((await editor.get<{ nodes: unknown[] }>(path(many))).body.nodes).toHaveLength(500);
});

it('an idle heartbeat takes one statement after authentication', async () => {
  const agent = await asAgent(service);
  await anIssue(editor, project, { assignedAgentId: (await asAgent(service)).id });
  const idle = () => agent.post('/api/agents/me/heartbeat', {});
  await idle();
  const whoAmI = await counter.leastDuring(() => agent.get('/api/auth/me'));
  expect(whoAmI).toBe(1);
  expect(await counter.leastDuring(idle)).toBe(2);
});

it('a heartbeat that hands out ten issues needs no further statement per issue', async () => {
  const [one, ten] = [await asAgent(service), await asAgent(service)];
  await anIssue(editor, project, { assignedAgentId: one.id });
  for (let number = 0; number < 10; number++) await anIssue(editor, project, { assignedAgentId: ten.id });
  const costs = [];
  for (const agent of [one, ten])
    costs.push(await counter.during(() => expectSuccess(agent.post('/api/agents/me/heartbeat', {}))));
  // One statement per issue would be nine more. A few may be the service's own.
  expect(costs[1]).toBeLessThan(costs[0]! + 5);
  expect((await service.owner.get(`/api/agents/${ten.id}`)).body['activeIssues']).toBe(10);
});

it('reading one issue takes one statement, and so does a list of many', async () => {
  const issue = await anIssue(editor, project);
  const whoAmI = await counter.leastDuring(() => editor.get('/api/auth/me'));
  expect(await counter.leastDuring(() => read(editor, issue))).toBe(whoAmI + 1);
  expect(await counter.leastDuring(() => editor.get('/api/projects/issues?limit=50'))).toBe(whoAmI + 1);
  const explained = '/api/projects/issues?limit=50&fields=summary,why';
  expect(await counter.leastDuring(() => editor.get(explained))).toBe(whoAmI + 2);
});
