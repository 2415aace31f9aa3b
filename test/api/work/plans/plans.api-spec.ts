import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLabel, anAgent, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { notFound, refused } from '../../../support/refusal.js';
import { startService, useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { modern } from '../../gateway/wire-call.js';
import { expectInvariants } from '../issues/invariants.js';
import { anIssueIn, put, read } from '../issues/issue-requests.js';
import { aLayeredPlan, contentOf, plan, type Plan, type Planned } from './plan-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const issuesOf = async (place: { id: string }) =>
  (await editor.get<Issue[]>(`/api/projects/${place.id}/issues?sort=createdAt`)).body;

describe('a plan', () => {
  it('creates its issues in its order, and those that name others wait', async () => {
    const place = await aProject(editor);
    const { status, body, headers } = await plan(editor, place, [
      { ref: 'release', blockedBy: ['notes', 'build'] },
      { ref: 'build', title: 'Build the packages', priority: 'high', description: 'All of them.' },
      { ref: 'notes', blockedBy: ['build'] },
      { ref: 'party', blockedBy: null },
    ]);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        issues: [
          ['release', 'WaitingOnDependency'],
          ['build', 'Open'],
          ['notes', 'WaitingOnDependency'],
          ['party', 'Open'],
        ].map(([ref, state], at) => ({
          ref,
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          key: `${place.key}-${at + 1}`,
          status: state,
        })),
      },
    });
    expect(headers['location']).toBe(`/api/projects/${place.id}/issues`);
    const [release, build, notes] = body.issues;
    const by = (...keys: string[]) =>
      keys.map((key) => expect.objectContaining({ target: expect.objectContaining({ key }) }));
    const first = await read(editor, release!);
    expect(first.links.map(({ linkType }) => linkType)).toEqual(['BlockedBy', 'BlockedBy']);
    expect(first.links).toEqual(expect.arrayContaining(by(notes!.key, build!.key)));
    expect(await read(editor, build!)).toMatchObject({
      title: 'Build the packages',
      description: 'All of them.',
      priority: 'high',
      version: 1,
      createdBy: { type: 'user', id: editor.id },
    });
    await put(editor, build!, { status: 'Resolved' });
    expect(await read(editor, notes!)).toMatchObject({ status: 'Open' });
    expect(await read(editor, release!)).toMatchObject({ status: 'WaitingOnDependency' });
    await expectInvariants(service);
  });

  it('names issues that exist by id or key, also of another open project; finished ones make none wait', async () => {
    const other = await aProject(editor);
    const [open, done, there] = [
      await anIssue(editor, project),
      await anIssueIn(editor, project, 'Closed'),
      await anIssue(editor, other),
    ];
    const { body } = await plan(editor, project, [
      { ref: 'a', blockedBy: [open.id] },
      { ref: 'b', blockedBy: [done.key] },
      { ref: 'c', blockedBy: [there.key, done.id.toUpperCase()] },
    ]);
    expect(body.issues.map(({ status }) => status)).toEqual([
      'WaitingOnDependency',
      'Open',
      'WaitingOnDependency',
    ]);
    expect((await read(editor, body.issues[2]!)).links).toHaveLength(2);
    expect((await read(editor, open)).links).toMatchObject([
      { linkType: 'Blocks', targetIssueId: body.issues[0]!.id },
    ]);
    await expectInvariants(service);
  });

  it('gives its issues the labels that they name, by name or id', async () => {
    const place = await aProject(editor);
    const [bug, docs] = [
      await aLabel(editor, place, { name: 'Bug' }),
      await aLabel(editor, place, { name: 'docs' }),
    ];
    const { body } = await plan(editor, place, [
      { ref: 'a', labels: ['bug', docs.id, bug.id] },
      { ref: 'b', labels: [] },
      { ref: 'c', labels: ['DOCS'], blockedBy: ['a'] },
    ]);
    const labelsOf = async (at: number) =>
      (await read(editor, body.issues[at]!)).labels.map(({ name }) => name);
    expect([await labelsOf(0), await labelsOf(1), await labelsOf(2)]).toEqual([
      ['Bug', 'docs'],
      [],
      ['docs'],
    ]);
    const [created] = (await editor.get<Loose[]>(`/api/projects/issues/${body.issues[2]!.id}/activity`)).body;
    expect(created).toMatchObject({
      type: 'issue.created',
      data: { labels: [{ id: docs.id, name: 'docs' }] },
    });
    await expectInvariants(service);
  });

  it('records what single creations record, for the timeline of each issue', async () => {
    const place = await aProject(editor);
    const blocker = await anIssue(editor, place);
    const [a, b] = (
      await plan(editor, place, [
        { ref: 'a', blockedBy: [blocker.id] },
        { ref: 'b', blockedBy: ['a'] },
      ])
    ).body.issues as [Plan['issues'][number], Plan['issues'][number]];
    const single = await anIssue(editor, place, { title: 'b', blockedByIssueId: a.key });
    const typesOf = async ({ id }: { id: string }) =>
      (await editor.get<Loose[]>(`/api/projects/issues/${id}/activity`)).body.map(
        ({ type, actor, data }) => ({
          type,
          actor,
          data: { ...(data as Record<string, unknown>), targetIssueId: undefined } as Record<string, unknown>,
        }),
      );
    expect(await typesOf(b)).toEqual(await typesOf(single));
    expect((await typesOf(a)).map(({ type, data }) => [type, data['linkType']])).toEqual([
      ['issue.created', undefined],
      ['link.created', 'BlockedBy'],
      ['link.created', 'Blocks'],
      ['link.created', 'Blocks'],
    ]);
  });

  it('wakes the waiting heartbeat of an agent that gets an issue, and hands out those that do not wait', async () => {
    const agent = await asAgent(service);
    const waiting = agent.post<{ pickedUp: { issue: Issue }[] }>('/api/agents/me/heartbeat?wait=20', {
      worker: 'w',
    });
    const mine = { assignedAgentId: agent.id };
    const { body } = await plan(editor, project, [
      { ref: 'later', ...mine, blockedBy: ['now'] },
      { ref: 'now', ...mine },
    ]);
    expect((await waiting).body.pickedUp.map(({ issue }) => issue.id)).toEqual([body.issues[1]!.id]);
  });

  it('is answered once per Idempotency-Key, its check too', async () => {
    const place = await aProject(editor);
    const headers = { 'idempotency-key': 'one-plan' };
    const send = (options = {}) => plan(editor, place, [{ ref: 'a' }, { ref: 'b' }], { headers, ...options });
    const [first, again] = [await send(), await send()];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: `/api/projects/${place.id}/issues`,
    });
    expect(await issuesOf(place)).toHaveLength(2);
    expect(await send({ dryRun: true })).toMatchObject(refused(422, 'idempotency_key_reused'));
    const checked = { headers: { 'idempotency-key': 'one-check' }, dryRun: true };
    expect([(await send(checked)).status, (await send(checked)).status]).toEqual([200, 200]);
    expect(await issuesOf(place)).toHaveLength(2);
  });
});

describe('a check of a plan', () => {
  it('shows statuses, an order and the longest chain, and changes no table', async () => {
    const blocker = await anIssue(editor, project);
    const before = await contentOf(service, project);
    const { status, body } = await plan(
      editor,
      project,
      [
        { ref: 'd', blockedBy: ['b', 'c'] },
        { ref: 'a' },
        { ref: 'b', blockedBy: ['a'] },
        { ref: 'c', blockedBy: [blocker.key] },
      ],
      { dryRun: true },
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        issues: [
          { ref: 'd', status: 'WaitingOnDependency' },
          { ref: 'a', status: 'Open' },
          { ref: 'b', status: 'WaitingOnDependency' },
          { ref: 'c', status: 'WaitingOnDependency' },
        ],
        order: ['a', 'c', 'b', 'd'],
        critical: ['a', 'b', 'd'],
      },
    });
    expect(await contentOf(service, project)).toEqual(before);
  });

  it.each([
    ['an unknown blocker', [{ ref: 'a', blockedBy: ['NOPE-1'] }], 400],
    [
      'a cycle',
      [
        { ref: 'a', blockedBy: ['b'] },
        { ref: 'b', blockedBy: ['a'] },
      ],
      409,
    ],
  ])('refuses what the plan is refused for: %s', async (_, issues, status) => {
    const [checked, created] = [
      await plan(editor, project, issues, { dryRun: true }),
      await plan(editor, project, issues),
    ];
    expect(checked.status).toBe(status);
    const { requestId: _one, ...problem } = created.body as unknown as Loose;
    expect(checked.body).toMatchObject(problem);
  });
});

describe('a plan of an agent', () => {
  const others = (agent: { id: string }, other: { id: string }): Planned[] => [
    { ref: 'mine', assignedAgentId: agent.id },
    { ref: 'none' },
    { ref: 'other', assignedAgentId: other.id },
  ];

  it('assigns to others only where the project lets agents do that, over HTTP and MCP', async () => {
    const [agent, other] = [await asAgent(service), await anAgent(service.owner)];
    const [any, self] = [await aProject(editor), await aProject(editor, { agentsMayAssign: 'self' })];
    expect((await plan(agent, any, others(agent as { id: string }, other))).status).toBe(201);
    for (const dryRun of [true, false])
      expect(await plan(agent, self, others(agent as { id: string }, other), { dryRun })).toMatchObject(
        refused(403, 'assignment_refused', 'issues[2].assignedAgentId'),
      );
    const issues = others(agent as { id: string }, other).map((issue) => ({ title: 'x', ...issue }));
    const { message } = await modern(agent, 'tools/call', {
      name: 'platform__plan_issues',
      arguments: { projectId: self.key, issues },
    });
    expect(message).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(message)).toContain('issues[2].assignedAgentId');
    expect(await issuesOf(self)).toEqual([]);
    expect((await plan(editor, self, others(agent as { id: string }, other))).status).toBe(201);
  });

  it('is made where the agent sees the project', async () => {
    const agent = await asAgent(service);
    const closed = await aProject(editor, { visibility: 'members' });
    expect(await plan(agent, closed, [{ ref: 'a' }])).toMatchObject(notFound);
    await service.owner.put(`/api/projects/${closed.id}/members`, {
      entries: [{ agentId: agent.id, role: 'Editor' }],
    });
    expect((await plan(agent, closed, [{ ref: 'a' }])).status).toBe(201);
    expect((await plan(await asViewer(service), project, [{ ref: 'a' }])).status).toBe(403);
  });

  it('is made over MCP, with what fits a model of a large one', async () => {
    const agent = await asAgent(service);
    const place = await aProject(editor);
    const call = async (planned: Planned[], dryRun = false) => {
      const { message } = await modern(agent, 'tools/call', {
        name: 'platform__plan_issues',
        arguments: {
          projectId: place.key,
          issues: planned.map((issue) => ({ title: issue.ref, goalId: null, ...issue })),
          ...(dryRun && { dryRun }),
        },
      });
      return (message['result'] as unknown as { structuredContent: Plan & { more: number } })
        .structuredContent;
    };
    expect(await call([{ ref: 'a' }, { ref: 'b', blockedBy: ['a'] }], true)).toEqual({
      issues: [
        { ref: 'a', status: 'Open' },
        { ref: 'b', status: 'WaitingOnDependency' },
      ],
      order: ['a', 'b'],
      critical: ['a', 'b'],
      more: 0,
    });
    expect(await call([{ ref: 'a' }, { ref: 'b', blockedBy: ['a'] }])).toMatchObject({
      issues: [
        { ref: 'a', key: `${place.key}-1`, status: 'Open', id: expect.any(String) },
        { ref: 'b', key: `${place.key}-2`, status: 'WaitingOnDependency', id: expect.any(String) },
      ],
      more: 0,
    });
    const many = aLayeredPlan(500, 50, 4).map((issue) => ({ ...issue, title: 'x' }));
    const whole = await call(many);
    expect(whole.issues.at(-1)).toEqual({
      ref: 'i499',
      key: `${place.key}-502`,
      status: 'WaitingOnDependency',
    });
    const long = Array.from({ length: 500 }, (_, at) => ({ ref: String(at).padStart(64, 'r'), title: 'x' }));
    for (const dryRun of [true, false]) {
      const cut = await call(long, dryRun);
      expect(cut.more).toBe(500 - cut.issues.length);
      expect(cut.more).toBeGreaterThan(0);
      expect(JSON.stringify(cut).length).toBeLessThanOrEqual(40_000);
    }
    expect(
      await service.sql('SELECT last_issue_number AS last FROM projects WHERE id = $1', [place.id]),
    ).toEqual([{ last: 1_002 }]);
  });
});

it('counts each issue of a plan towards the rate of requests, and a check as one', async () => {
  const limited = await startService({ settings: { RATE_LIMIT_PER_MINUTE: '60' } });
  const agent = await asAgent(limited);
  const place = await aProject(limited.owner);
  const issues = aLayeredPlan(25, 1, 0);
  for (let time = 0; time < 5; time += 1)
    expect((await plan(agent, place, issues, { dryRun: true })).status).toBe(200);
  expect((await plan(agent, place, issues)).status).toBe(201);
  expect((await plan(agent, place, issues)).status).toBe(201);
  expect(await plan(agent, place, issues)).toMatchObject(refused(429, 'rate_limited'));
  expect(
    await limited.sql('SELECT last_issue_number AS last FROM projects WHERE id = $1', [place.id]),
  ).toEqual([{ last: 50 }]);
  await limited.remove();
});
