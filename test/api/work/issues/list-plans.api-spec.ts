import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import type { Principal } from '../../../../src/platform/authentication/principals-and-roles.js';
import type { IssueFilter, IssueSort } from '../../../../src/work/issue-reading/issue-filter-and-order.js';
import { HeartbeatRepository } from '../../../../src/gateway/heartbeat/heartbeat.repository.js';
import { ServiceClient } from '../../../../src/platform/database/service.client.js';
import { IssueListRepository } from '../../../../src/work/issue-reading/issue-lists-and-agent-work.service.js';
import { IssueRepository } from '../../../../src/work/issue-status/issue.repository.js';
import { ProjectRepository } from '../../../../src/work/projects/projects-members-and-graph-lock.repository.js';
import { pagesOf } from '../../../support/database-of.js';
import { createDatabase, type TestDatabase } from '../../../support/postgres.mjs';
import { costsOf, PAGE } from './plans.js';

const ISSUES = 100_000;
const PER_ROW = 20;

const [agent, user, goal, open, closedOff, blocker] = Array.from({ length: 6 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const admin = { type: 'user', id: user, name: 'Admin', role: 'Admin', roleCap: null } as Principal;
const viewer = { ...admin, role: 'Viewer' } as Principal;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await fill();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/**
 * Most issues are finished and few are urgent: 96 of 100 are Closed, 2 of 1,000 wait. Half of them are in a project that
 * a Viewer cannot see. A tenth contain a word that the others do not.
 */
async function fill(): Promise<void> {
  await client.query(
    `INSERT INTO projects (id, key, name, visibility) VALUES ($1, 'OPEN', 'Open', 'open'), ($2, 'OFF', 'Off', 'members')`,
    [open, closedOff],
  );
  await client.query(`INSERT INTO agents (id, name, max_concurrent_issues) VALUES ($1, 'Agent', 10)`, [
    agent,
  ]);
  await client.query(
    `INSERT INTO users (id, email, name, role) VALUES ($1, 'someone@example.com', 'Someone', 'Admin')`,
    [user],
  );
  await client.query(`INSERT INTO goals (id, project_id, title) VALUES ($1, $2, 'A goal')`, [goal, open]);
  await client.query(
    `INSERT INTO issues (id, project_id, number, title, description, status, priority, assigned_agent_id, assignee_user_id,
                         goal_id, created_by_type, created_by_name, created_at, updated_at)
     SELECT gen_random_uuid(), CASE n % 2 WHEN 0 THEN $1::uuid ELSE $2::uuid END, n, 'Issue ' || n,
            'common' || CASE WHEN n % 10 = 0 THEN ' tenth' ELSE '' END || CASE WHEN n % 5000 = 0 THEN ' rare' ELSE '' END,
            CASE WHEN n % 1000 < 2 THEN 'WaitingOnDependency' WHEN n % 100 < 2 THEN 'Open' WHEN n % 100 < 4 THEN 'PendingReview' ELSE 'Closed' END,
            CASE WHEN n % 500 < 2 THEN 4 ELSE n % 7 % 2 END,
            CASE WHEN n % 20 < 2 THEN $3::uuid END, CASE WHEN n % 30 < 2 THEN $4::uuid END,
            CASE WHEN n % 40 = 0 THEN $5::uuid END, 'user', 'Someone',
            now() - make_interval(secs => $6 - n), now() - make_interval(secs => (n * 7919) % $6)
     FROM generate_series(1, $6::int) AS n`,
    [open, closedOff, agent, user, goal, ISSUES],
  );
  await client.query('VACUUM ANALYZE');
}

const BY_AGE: IssueSort[] = ['createdAt', '-createdAt', 'status', '-status'];
const SORTS: IssueSort[] = [...BY_AGE, 'updatedAt', '-updatedAt', 'priority', '-priority'];

/** The lists that a dashboard and agents request, with their sorts. */
const LISTS: Record<string, { filter: IssueFilter; sorts: IssueSort[] }> = {
  'one project': { filter: { projectId: open }, sorts: SORTS },
  everything: { filter: {}, sorts: SORTS },
  'one status': { filter: { projectId: open, status: ['WaitingOnDependency'] }, sorts: SORTS },
  'one status everywhere': { filter: { status: ['Open'] }, sorts: SORTS },
  'what is not done': {
    filter: { projectId: open, status: ['Open', 'InProgress', 'PendingReview'] },
    sorts: SORTS,
  },
  'what is not done, everywhere': { filter: { status: ['Open', 'WaitingOnDependency'] }, sorts: SORTS },
  'what is urgent': {
    filter: { projectId: open, priorities: [4] },
    sorts: [...BY_AGE, 'priority', '-priority'],
  },
  'what is urgent and open': {
    filter: { priorities: [4], status: ['Open'] },
    sorts: [...BY_AGE, '-priority'],
  },
  "an agent's": { filter: { assigneeIds: [agent] }, sorts: BY_AGE },
  "an agent's open ones": { filter: { assigneeIds: [agent], status: ['Open', 'InProgress'] }, sorts: BY_AGE },
  'what has no assignee': { filter: { assigneeIds: ['none'] }, sorts: BY_AGE },
  'what has no assignee and is in review': {
    filter: { assigneeIds: ['none'], status: ['PendingReview'] },
    sorts: BY_AGE,
  },
  "a user's": { filter: { assigneeIds: [user] }, sorts: BY_AGE },
  "a user's in one project": { filter: { assigneeIds: [user], projectId: open }, sorts: BY_AGE },
  'what an agent executes in one project': {
    filter: { agentIds: [agent], projectId: open },
    sorts: BY_AGE,
  },
  'what has one of two priorities': {
    filter: { projectId: open, priorities: [1, 4] },
    sorts: [...BY_AGE, 'priority', '-priority'],
  },
  "a goal's": { filter: { goalIds: [goal] }, sorts: BY_AGE },
  "a goal's open ones": { filter: { goalIds: [goal], status: ['Open'] }, sorts: BY_AGE },
};
const cases = Object.entries(LISTS).flatMap(([name, { filter, sorts }]) =>
  sorts.map((sort) => ({ name, sort, filter })),
);

describe(`a page of ${PAGE} of ${ISSUES} issues reads at most ${PER_ROW} rows for each row that it returns,`, () => {
  it.each(cases)('for $name by $sort', async ({ filter, sort }) => {
    const [page] = await costsOf(client, admin, filter, sort);
    expect(page!.given).toBeGreaterThan(PAGE / 2);
    expect(page!.read).toBeLessThanOrEqual(page!.given * PER_ROW);
  });

  it.each(cases)('for $name by $sort, for a Viewer who sees half of them', async ({ filter, sort }) => {
    const [page] = await costsOf(client, viewer, filter, sort);
    expect(page!.read).toBeLessThanOrEqual(Math.max(1, page!.given) * PER_ROW);
  });

  // Each value of each status has an index of its own: agent, agent or user, neither.
  it.each(BY_AGE)('for each of several assignees in each status, by %s', async (sort) => {
    const [page] = await costsOf(client, admin, { assigneeIds: [agent, user, 'none'] }, sort);
    expect(page!.given).toBe(PAGE + 1);
    expect(page!.read).toBeLessThanOrEqual(5 * 6 * (PAGE + 1) + page!.given * PER_ROW);
  });

  it.each(['status', '-status'] as const)('in the middle of the list by %s', async (sort) => {
    const filter = { projectId: open };
    const { rows } = await client.query(
      `SELECT created_at, id FROM issues WHERE project_id = $1 AND status = 'Closed' ORDER BY created_at OFFSET 25000 LIMIT 1`,
      [open],
    );
    const after = [6, rows[0].created_at.toISOString(), rows[0].id];
    const [page] = await costsOf(client, admin, filter, sort, after);
    expect(page!.given).toBe(PAGE + 1);
    expect(page!.read).toBeLessThanOrEqual(page!.given * PER_ROW);
  });

  it('in the middle of the list', async () => {
    const { rows } = await client.query(
      `SELECT created_at, id FROM issues WHERE project_id = $1 ORDER BY created_at OFFSET 25000 LIMIT 1`,
      [open],
    );
    const after = [rows[0].created_at.toISOString(), rows[0].id];
    const [page] = await costsOf(client, admin, { projectId: open }, 'createdAt', after);
    expect(page!.given).toBe(PAGE + 1);
    expect(page!.read).toBeLessThanOrEqual(page!.given * PER_ROW);
  });
});

describe('a search', () => {
  const PLACES = [
    ['everywhere', admin, {}],
    ['in one project', admin, { projectId: open }],
    ['by a Viewer who sees half', viewer, {}],
  ] as const;
  const WORDS = ['common', 'tenth', 'rare', 'comm', 'te', 'rar'];

  it.each(PLACES)('reads at most 1,000 matches and few other rows, %s', async (_, caller, place) => {
    for (const q of WORDS) {
      const [page, count] = await costsOf(client, caller, { ...place, q }, '-createdAt', null, {
        counted: true,
      });
      expect(page!.given).toBeGreaterThan(9);
      // Where every other row matches, the table is scanned until 1,000 are found, which reads at most this many.
      for (const { readOfWords, readOfIssues } of [page!, count!]) {
        expect(readOfWords).toBeLessThanOrEqual(3_000);
        expect(readOfIssues).toBeLessThanOrEqual(1_000);
      }
    }
  });

  it.each(PLACES)('by fit reads at most 1,000 more matches, of titles, %s', async (_, caller, place) => {
    for (const q of [...WORDS, 'issue', 'issue 12', 'OPEN-2000']) {
      const [page] = await costsOf(client, caller, { ...place, q }, '-createdAt', null, { ranked: true });
      expect(page!.given).toBeGreaterThan(0);
      expect(page!.readOfWords).toBeLessThanOrEqual(6_000);
      expect(page!.readOfIssues).toBeLessThanOrEqual(1_001);
    }
  });
});

it('a count stops one row after 10,000', async () => {
  const [, count] = await costsOf(client, admin, {}, '-createdAt', null, { counted: true });
  expect(count!.readOfIssues).toBe(10_001);
});

describe('a list by blocker', () => {
  beforeAll(async () => {
    await client.query(
      `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
       VALUES ($1, $2, $3, 'The blocker', 'Open', 'user', 'Someone')`,
      [blocker, open, ISSUES + 1],
    );
    await client.query(
      `INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $1, id, 'Blocks', 'user', 'Someone' FROM issues
       WHERE project_id = $2 AND status = 'WaitingOnDependency' LIMIT 50`,
      [blocker, open],
    );
    // A table of few links would be scanned for each issue.
    await client.query(
      `INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
       SELECT gen_random_uuid(), a.id, b.id, 'DuplicateOf', 'user', 'Someone'
       FROM issues a JOIN issues b ON b.project_id = a.project_id AND b.number = a.number + 2 WHERE a.status = 'Closed' AND a.number < 40000`,
    );
    await client.query('VACUUM ANALYZE issues, issue_links');
  });

  it.each([
    ['one issue', blocker],
    ['no issue', 'none'],
  ])('reads few rows besides its own, for what waits for %s', async (_, blockedBy) => {
    for (const sort of SORTS) {
      const [page] = await costsOf(client, admin, { projectId: open, blockedBy: [blockedBy] }, sort);
      expect(page!.given).toBeGreaterThanOrEqual(PAGE);
      expect(page!.read).toBeLessThanOrEqual(page!.given * PER_ROW);
    }
  });
});

describe('a frequent statement', () => {
  /** A connection of the service, which names its statements. */
  let one: ServiceClient;
  let source: DataSource;
  beforeAll(async () => {
    one = new ServiceClient({ connectionString: database.url });
    await one.connect();
    const query = async (sql: string, parameters: unknown[]) => {
      const { command, rows, rowCount } = await one.query(sql, parameters);
      return command === 'UPDATE' ? [rows, rowCount] : rows;
    };
    source = { query, manager: { query } } as unknown as DataSource;
  });
  afterAll(() => one?.end());

  const list = (caller: Principal, summary: boolean, after: (string | number)[] | null) =>
    new IssueListRepository(pagesOf((sql, parameters) => source.query(sql, parameters))).list(
      caller,
      { projectId: open },
      '-createdAt',
      { limit: PAGE, after, countUpTo: null },
      { summary, ranked: false },
    );
  const first = async () => (await list(admin, true, null)).rows[0]!;
  const issues = () => new IssueRepository(source);
  const runs: Record<string, () => Promise<unknown>> = {
    'issues.of-project.-createdAt.everywhere': () => list(admin, false, null),
    'issues.of-project.-createdAt.summary.member-4': () => list(viewer, true, null),
    'issues.of-project.-createdAt.summary.everywhere.after': async () => {
      const { createdAt, id } = await first();
      return list(admin, true, [createdAt.toISOString(), id]);
    },
    'projects.seen.id.everywhere': () => new ProjectRepository(source, pages).findSeen(admin, open),
    'issues.lock': async () => issues().lockAll([(await first()).id]),
    'issues.read-all': async () => issues().readAll([(await first()).id]),
    'issues.set-status': async () => {
      const { id, status } = await first();
      return issues().setStatus([{ id, status, pausedAfter: false }], status, true, false);
    },
    'issues.set.title.person': async () => {
      const locked = await issues().lock((await first()).id);
      return issues().setFields(locked!, { title: 'Another' }, true);
    },
    'heartbeat.agent': () => new HeartbeatRepository(source).readAgent(agent),
  };
  const pages = pagesOf((sql, parameters) => source.query(sql, parameters));

  it.each(Object.keys(runs))('is planned for all values after its first runs: %s', async (name) => {
    for (let run = 0; run < 12; run += 1) await runs[name]!();
    const { rows } = await one.query(
      'SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = $1',
      [name],
    );
    expect(rows).toEqual([{ generic: expect.any(Number), custom: 5 }]);
  });
});
