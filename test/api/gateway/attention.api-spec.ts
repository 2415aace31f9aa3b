import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  AttentionActionResponse,
  AttentionItemResponse,
  AttentionResponse,
} from '../../../src/gateway/attention/attention.response.js';
import { encodeCursor } from '../../../src/platform/http/page-and-cursor.query.js';
import { aLink, anIssue, aProject, createdBy, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { aPerson, asAdmin, asAgent, asEditor, asUser, asViewer, signedIn } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { aDeadServer } from '../platform/access/access-world.js';
import { anIssueIn, expectInvalidPaths, expectSuccess, read } from '../work/issues/issue-requests.js';
import { nextOf } from '../work/issues/list-requests.js';

type Attention = Wire<AttentionResponse>;
type Item = Wire<AttentionItemResponse>;
type Action = Wire<AttentionActionResponse>;

const service = useService();
let [viewer, editor, admin]: Caller[] = [];
let project: Project;
beforeAll(async () => {
  [viewer, editor, admin] = await Promise.all([asViewer(service), asEditor(service), asAdmin(service)]);
  project = await aProject(editor);
  await createdBy(service.owner, '/api/mcp/installed', { catalogId: 'microsoft-learn' });
});

async function attention(caller: Caller, query = '?limit=1000'): Promise<Attention> {
  const answer = await caller.get<Attention>(`/api/attention${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
async function itemOf(caller: Caller, id: string): Promise<Item | undefined> {
  return (await attention(caller)).items.find((item) => item.id === id);
}
/** Makes a call of an item as it is. */
async function make(caller: Caller, { method, path, body }: Action): Promise<void> {
  const answer = await caller.request(method, path, body === null ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}
const choicesOf = ({ action, alternatives }: Item) => [...(action ? [action] : []), ...alternatives];
const chosen = (item: Item | undefined, label: string) =>
  choicesOf(item!).find((choice) => choice.label === label)!;

/** Makes an issue wait for another, and a third for that one. */
async function twoBehind(issue: Issue): Promise<void> {
  const [first, second] = [await anIssue(editor!, project), await anIssue(editor!, project)];
  await aLink(editor!, issue, first);
  await aLink(editor!, first, second);
}

describe('an issue that needs a person', () => {
  const made = async (status: 'PendingReview' | 'paused' | 'Open', fields = {}) => {
    const issue =
      status === 'Open'
        ? await anIssue(editor!, project, fields)
        : await anIssueIn(editor!, project, status, fields);
    await twoBehind(issue);
    return issue;
  };
  const exhausted = async () => {
    const issue = await made('PendingReview');
    await service.sql('UPDATE issues SET attempts = 5 WHERE id = $1', [issue.id]);
    return issue;
  };
  const ofDisabled = async () => {
    const agent = await asAgent(service);
    await service.owner.put(`/api/agents/${agent.id}`, { disabled: true });
    return made('Open', { assignedAgentId: agent.id });
  };
  const after = (fields: object) => async (issue: Issue) =>
    expect(await read(editor!, issue)).toMatchObject(fields);

  it.each<[string, string, () => Promise<Issue>, string, (issue: Issue) => Promise<void>]>([
    ['review', 'a review', () => made('PendingReview'), 'Mark as resolved', after({ status: 'Resolved' })],
    ['review', 'a review', () => made('PendingReview'), 'Ask for changes', after({ status: 'InProgress' })],
    ['exhausted', 'too many attempts', exhausted, 'Try again', after({ status: 'Open', attempts: 0 })],
    ['exhausted', 'too many attempts', exhausted, 'Mark as resolved', after({ status: 'Resolved' })],
    [
      'stuck',
      'a pause',
      () => made('paused', { assigneeUserId: editor!.id }),
      'Resume',
      after({ status: 'InProgress', paused: false }),
    ],
    [
      'stuck',
      'no assignee',
      () => made('Open'),
      'Assign to me',
      async (issue) => {
        expect((await read(editor!, issue)).assignee?.type).toBe('user');
      },
    ],
    [
      'stuck',
      'a disabled agent',
      ofDisabled,
      'Enable the agent',
      async (issue) => {
        expect((await service.owner.get(`/api/agents/${issue.assignedAgentId}`)).body).toMatchObject({
          disabled: false,
        });
      },
    ],
  ])(
    'is listed as %s because of %s, and its call does what it says: %#',
    async (kind, _why, make_, label, check) => {
      const issue = await make_();
      const item = await itemOf(admin!, `${kind}:${issue.id}`);
      expect(item).toMatchObject({
        kind,
        severity: 'blocking',
        since: expect.any(String),
        project: { id: project.id, key: project.key, name: project.name },
        issue: { id: issue.id, key: issue.key, title: issue.title },
        server: null,
        gate: null,
        blocks: { issues: 2, agents: 0 },
        needsRole: 'Editor',
      });
      expect(await itemOf(viewer!, `${kind}:${issue.id}`)).toMatchObject({ action: null, alternatives: [] });
      await make(admin!, chosen(item, label));
      await check(issue);
      if (label !== 'Enable the agent') expect(await itemOf(admin!, `${kind}:${issue.id}`)).toBeUndefined();
    },
  );

  it('offers an Editor only what an Editor may do', async () => {
    const issue = await ofDisabled();
    const item = await itemOf(editor!, `stuck:${issue.id}`);
    expect(choicesOf(item!).map(({ label }) => label)).toEqual(['Assign to me']);
    await make(editor!, chosen(item, 'Assign to me'));
    expect(await read(editor!, issue)).toMatchObject({ assigneeUserId: editor!.id, assignedAgentId: null });
  });

  it('is not stuck while its agent lives, a person has it, or no issue waits for it', async () => {
    const agent = await asAgent(service);
    const [lives, alone, ofPerson] = [
      await made('Open', { assignedAgentId: agent.id }),
      await anIssue(editor!, project),
      await made('Open', { assigneeUserId: editor!.id }),
    ];
    expect(await itemOf(viewer!, `stuck:${lives.id}`)).toMatchObject({ kind: 'stuck' });
    await expectSuccess(agent.post('/api/agents/me/heartbeat', { capacity: 0 }));
    for (const { id } of [lives, alone, ofPerson])
      expect(await itemOf(viewer!, `stuck:${id}`)).toBeUndefined();
  });
});

describe('a gate', () => {
  const ask = async (fields: object) => {
    const issue = await anIssue(editor!, project);
    const gate = await createdBy<{ id: string }>(editor!, `/api/projects/issues/${issue.id}/gates`, fields);
    return { issue, gate };
  };

  it('offers its recommended option first, and each call answers it', async () => {
    const question = { question: 'When?', options: ['Now', 'Later'], recommended: 'Later' };
    const { issue, gate } = await ask(question);
    const item = await itemOf(editor!, `gate:${gate.id}`);
    expect(item).toMatchObject({
      severity: 'blocking',
      gate: { id: gate.id, kind: 'question' },
      issue: { id: issue.id },
      blocks: { issues: 1 },
      action: { label: 'Later' },
      alternatives: [{ label: 'Now' }],
    });
    await make(editor!, chosen(item, 'Now'));
    expect(await read(editor!, issue)).toMatchObject({ status: 'Open' });
    expect(await itemOf(editor!, `gate:${gate.id}`)).toBeUndefined();
    const other = await ask(question);
    await make(editor!, (await itemOf(editor!, `gate:${other.gate.id}`))!.action!);
    expect((await editor!.get(`/api/projects/gates/${other.gate.id}`)).body).toMatchObject({
      answer: { option: 'Later' },
    });
  });

  it('without options offers nothing to choose', async () => {
    const { gate } = await ask({ question: 'What?' });
    expect(await itemOf(editor!, `gate:${gate.id}`)).toMatchObject({ action: null, alternatives: [] });
  });
});

describe('a server that needs an Admin', () => {
  const changes: Record<string, string> = {
    server_error: `UPDATE installed_servers SET status = 'error', status_reason = 'It crashed.' WHERE id = $1`,
    credential: `UPDATE installed_servers SET last_verification = '{"status": "error", "details": "Refused", "phase": "done", "latencyMs": 1, "protocolVersion": null, "serverInfo": null, "credentials": "refused", "checkedAt": "2026-01-01T00:00:00.000Z"}' WHERE id = $1`,
    tools_changed: `INSERT INTO server_tools (server_id, name, definition, hash, approved_hash) VALUES ($1, 'x', '{"name": "x", "inputSchema": {}}', 'a', 'b')`,
  };
  const state = async (id: string) =>
    (await service.owner.get(`/api/mcp/installed/${id}`)).body as unknown as {
      status: string;
      lastVerification: { checkedAt: string } | null;
    };
  const disabled = async (id: string) => expect((await state(id)).status).toBe('disabled');
  const verified = async (id: string) =>
    expect((await state(id)).lastVerification?.checkedAt).not.toBe('2026-01-01T00:00:00.000Z');
  const approved = async (id: string) =>
    expect((await service.owner.get(`/api/mcp/installed/${id}/tools`)).body).toMatchObject([
      { state: 'approved' },
    ]);

  it.each([
    ['server_error', 'Verify again', verified],
    ['server_error', 'Disable the server', disabled],
    ['credential', 'Verify again', verified],
    ['credential', 'Disable the server', disabled],
    ['tools_changed', 'Approve all tools', approved],
    ['tools_changed', 'Disable the server', disabled],
  ])('is listed as %s for Admins only, and "%s" does what it says', async (kind, label, check) => {
    const id = await aDeadServer(service);
    await service.sql(changes[kind]!, [id]);
    const item = await itemOf(admin!, `${kind}:${id}`);
    expect(item).toMatchObject({
      kind,
      severity: 'degraded',
      project: null,
      server: { id },
      needsRole: 'Admin',
    });
    expect(await itemOf(editor!, `${kind}:${id}`)).toBeUndefined();
    await make(admin!, chosen(item, label));
    await check(id);
  });

  it('needs elevated mode where the caller has a session', async () => {
    const id = await aDeadServer(service);
    await service.sql(changes['server_error']!, [id]);
    const session = await signedIn(service, await aPerson(service, 'Admin'));
    expect(await itemOf(session, `server_error:${id}`)).toMatchObject({ action: { elevated: true } });
    expect(await itemOf(admin!, `server_error:${id}`)).toMatchObject({ action: { elevated: false } });
  });
});

describe('an agent and a key', () => {
  it('an agent that holds a lease and is silent is listed, and "Disable the agent" disables it', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor!, project, { assignedAgentId: agent.id });
    await twoBehind(issue);
    await expectSuccess(agent.post('/api/agents/me/heartbeat', {}));
    expect(await itemOf(viewer!, `agent_silent:${agent.id}`)).toBeUndefined();
    await service.sql(`UPDATE agents SET last_heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
      agent.id,
    ]);
    const item = await itemOf(admin!, `agent_silent:${agent.id}`);
    expect(item).toMatchObject({ agent: { id: agent.id }, project: null, blocks: { issues: 3 } });
    expect(await itemOf(viewer!, `agent_silent:${agent.id}`)).toMatchObject({ alternatives: [] });
    await make(admin!, chosen(item, 'Disable the agent'));
    expect((await viewer!.get(`/api/agents/${agent.id}`)).body).toMatchObject({ disabled: true });
    expect(await itemOf(admin!, `agent_silent:${agent.id}`)).toBeUndefined();
  });

  it('an agent with a worker that takes no more work is listed to Admins, with what waits for it', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor!, project, { assignedAgentId: agent.id });
    await twoBehind(issue);
    await expectSuccess(
      agent.post('/api/agents/me/heartbeat', { worker: 'w1', capacity: 0, failing: 'git is missing.' }),
    );
    const id = `agent_failing:${agent.id}`;
    expect(await itemOf(admin!, id)).toMatchObject({
      title: expect.stringContaining('takes no more work'),
      detail: 'git is missing. Correct that, then start its worker w1 again.',
      severity: 'degraded',
      agent: { id: agent.id },
      blocks: { issues: 3 },
    });
    expect(await itemOf(editor!, id)).toBeUndefined();
    await expectSuccess(agent.post('/api/agents/me/heartbeat', { worker: 'w1', capacity: 0 }));
    expect(await itemOf(admin!, id)).toBeUndefined();
  });

  it('a key that expires within 7 days is listed to its user and to Admins, and "Make a new key" makes one', async () => {
    const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const person = await asUser(service, 'Viewer', { expiresAt });
    const [item] = (await attention(person)).items.filter(({ kind }) => kind === 'key_expiring');
    expect(item).toMatchObject({ severity: 'notice', blocks: { issues: 0 }, needsRole: 'Viewer' });
    for (const [caller, listed] of [
      [admin!, true],
      [editor!, false],
    ] as const)
      expect((await itemOf(caller, item!.id)) !== undefined).toBe(listed);
    await make(person, item!.action!);
    await make(admin!, (await itemOf(admin!, item!.id))!.action!);
    expect((await service.owner.get(`/api/users/${person.id}/keys`)).body).toHaveLength(3);
  });
});

describe('a budget', () => {
  const inAll = { turns: 10, tokens: 1000, period: 'total' };
  const scopes = {
    issue: async (place: Project) => (await anIssue(editor!, place)).id,
    project: async (place: Project) => place.id,
    agent: async () => (await asAgent(service)).id,
  };
  const paths = { issue: '/api/projects/issues', project: '/api/projects', agent: '/api/agents' };
  const setting = async (scope: keyof typeof scopes, used: number) => {
    const place = await aProject(editor!);
    const id = await scopes[scope](place);
    const path = `${paths[scope]}/${id}/budget`;
    await expectSuccess(service.owner.put(path, inAll));
    await service.sql(
      `INSERT INTO usage_totals (scope, scope_id, period, starts_on, turns) VALUES ($1, $2, 'total', '1970-01-01', $3)`,
      [scope, id, used],
    );
    return { place, path, item: `budget_near:${id}` };
  };
  const seenBy = async (item: string, query?: string) => {
    const callers = { viewer: viewer!, editor: editor!, admin: admin! };
    const found = await Promise.all(
      Object.entries(callers).map(async ([name, caller]) => {
        const { items } = await attention(caller, query);
        const one = items.find(({ id }) => id === item);
        return one ? [`${name} ${choicesOf(one).length}`] : [];
      }),
    );
    return found.flat();
  };

  it.each([
    ['issue', ['editor 1', 'admin 1'], 'Editor', true],
    ['project', ['admin 1'], 'Admin', true],
    ['agent', ['admin 1'], 'Admin', false],
  ] as const)(
    'of which 80%% is used is listed to those who may read it: %s',
    async (scope, callers, needsRole, ofProject) => {
      const { item, path, place } = await setting(scope, 8);
      expect(await seenBy(item)).toEqual(callers);
      expect(await seenBy(item, `?limit=1000&projectId=${place.id}`)).toEqual(ofProject ? callers : []);
      const found = await itemOf(admin!, item);
      expect(found).toMatchObject({
        kind: 'budget_near',
        severity: 'notice',
        title: expect.stringContaining('is 80% used: 8 of 10 turns'),
        blocks: { issues: 0, agents: 0 },
        action: null,
        needsRole,
      });
      await make(scope === 'issue' ? editor! : admin!, chosen(found, 'Raise the limit to 20 turns'));
      expect((await service.owner.get(path)).body).toMatchObject({
        turns: 20,
        tokens: 1000,
        period: 'total',
      });
      expect(await itemOf(admin!, item)).toBeUndefined();
    },
  );

  it('of which less is used is not listed, nor one that has stopped the work', async () => {
    expect(await itemOf(admin!, (await setting('project', 7)).item)).toBeUndefined();
    const { item, path } = await setting('agent', 10);
    expect(await itemOf(admin!, item)).toMatchObject({ kind: 'budget_near' });
    await service.sql(`UPDATE budgets SET stopped_on = '1970-01-01' WHERE scope_id = $1`, [
      path.split('/')[3],
    ]);
    expect(await itemOf(admin!, item)).toBeUndefined();
  });

  it.each([
    ['agent', 1],
    ['project', 2],
  ] as const)('of an %s that is used up blocks and counts what it stops', async (scope, agents) => {
    const place = await aProject(editor!);
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const first = await anIssue(editor!, place, { assignedAgentId: agent.id });
    await anIssue(editor!, place, { assignedAgentId: agent.id });
    await anIssue(editor!, place, { assignedAgentId: other.id });
    await anIssue(editor!, place, { blockedByIssueId: first.id });
    const done = await anIssue(editor!, place, { assignedAgentId: agent.id });
    await expectSuccess(editor!.put(`/api/projects/issues/${done.id}`, { status: 'Resolved' }));
    const path = `${paths[scope]}/${scope === 'agent' ? agent.id : place.id}/budget`;
    await expectSuccess(agent.post('/api/agents/me/heartbeat', { capacity: 1 }));
    await expectSuccess(service.owner.put(path, { turns: 1, period: 'day' }));
    for (const _ of [1, 2]) await expectSuccess(agent.post('/api/agents/me/turns', { issueId: first.id }));
    const { gateId } = (await service.owner.get<{ gateId: string }>(path)).body;
    // Two of the agent, and with the project also that of the other agent; one more waits for the first.
    const blocks = { issues: scope === 'agent' ? 3 : 4, agents };
    expect(await itemOf(admin!, `gate:${gateId}`)).toMatchObject({ severity: 'blocking', blocks });
    const gate = await service.owner.get(`/api/projects/gates/${gateId}`);
    expect(gate.body).toMatchObject({ blocks });
  });

  it('that is used up is a gate, which "Stop" answers; one without a project is in no list of a project', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor!, project, { assignedAgentId: agent.id });
    await expectSuccess(agent.post('/api/agents/me/heartbeat', {}));
    await expectSuccess(service.owner.put(`/api/agents/${agent.id}/budget`, { turns: 1, period: 'day' }));
    for (const _ of [1, 2]) await expectSuccess(agent.post('/api/agents/me/turns', { issueId: issue.id }));
    const { gateId } = (await service.owner.get<{ gateId: string }>(`/api/agents/${agent.id}/budget`)).body;
    expect(await seenBy(`gate:${gateId}`)).toEqual(['admin 1']);
    expect(await seenBy(`gate:${gateId}`, `?limit=1000&projectId=${project.id}`)).toEqual([]);
    await make(admin!, chosen(await itemOf(admin!, `gate:${gateId}`), 'Stop'));
    expect((await service.owner.get(`/api/projects/gates/${gateId}`)).body).toMatchObject({
      state: 'answered',
      answer: { decision: 'stop' },
    });
  });
});

describe('attention', () => {
  it('asked for by many at once returns to each what that caller sees', async () => {
    const [open, closed] = [await aProject(editor!), await aProject(editor!, { visibility: 'members' })];
    const [shown, hidden] = [
      await anIssueIn(editor!, open, 'PendingReview'),
      await anIssueIn(editor!, closed, 'PendingReview'),
    ];
    const people = await Promise.all(Array.from({ length: 6 }, () => asViewer(service)));
    const role = (at: number) => (at % 3 === 0 ? null : at % 3 === 1 ? 'Viewer' : 'Editor');
    for (const [at, { id }] of people.entries())
      if (role(at))
        await expectSuccess(
          service.owner.put(`/api/projects/${closed.id}/members`, {
            entries: [{ userId: id, role: role(at) }],
          }),
        );
    const rounds = Array.from({ length: 4 }, () => people).flat();
    const answers = await Promise.all(rounds.map((person) => attention(person)));
    for (const [at, { items, counts }] of answers.entries()) {
      const found = (id: string) => items.find((item) => item.id === `review:${id}`);
      const mine = role(at % people.length);
      expect([at, found(shown.id) !== undefined, found(hidden.id) !== undefined]).toEqual([
        at,
        true,
        mine !== null,
      ]);
      expect(found(shown.id)!.alternatives).toEqual([]);
      expect(found(hidden.id)?.alternatives.length ?? 0).toBe(mine === 'Editor' ? 2 : 0);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(items.length);
    }
  });

  it('of a silent agent counts what waits in the projects that the caller sees, once', async () => {
    const [agent, closed] = [await asAgent(service), await aProject(editor!, { visibility: 'members' })];
    const entries = [{ agentId: agent.id, role: 'Viewer' }];
    await expectSuccess(service.owner.put(`/api/projects/${closed.id}/members`, { entries }));
    for (const place of [project, closed]) await anIssue(editor!, place, { assignedAgentId: agent.id });
    await expectSuccess(agent.post('/api/agents/me/heartbeat', {}));
    await service.sql(`UPDATE agents SET last_heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
      agent.id,
    ]);
    const blocked = async (caller: Caller) =>
      (await attention(caller)).items
        .filter(({ id }) => id === `agent_silent:${agent.id}`)
        .map(({ blocks, project: place }) => [blocks.issues, place]);
    expect(await blocked(viewer!)).toEqual([[1, null]]);
    for (const caller of [editor!, admin!]) expect(await blocked(caller)).toEqual([[2, null]]);
  });

  it('shows only what the caller sees, by project where it is named', async () => {
    const closed = await aProject(editor!, { visibility: 'members' });
    const hidden = await anIssueIn(editor!, closed, 'PendingReview');
    expect(await itemOf(editor!, `review:${hidden.id}`)).toMatchObject({
      blocks: { issues: 0 },
      severity: 'degraded',
    });
    expect(await itemOf(viewer!, `review:${hidden.id}`)).toBeUndefined();
    await expectInvalidPaths(viewer!.get(`/api/attention?projectId=${closed.id}`), 'projectId');
    const { items, counts } = await attention(admin!, `?projectId=${closed.key}`);
    expect(items.map(({ id }) => id)).toEqual([`review:${hidden.id}`]);
    expect(counts).toMatchObject({ review: 1, stuck: 0, server_error: 0, key_expiring: 0 });
    expect((await (await asAgent(service)).get('/api/attention')).status).toBe(403);
  });

  it('comes in pages, what blocks most first, with the counts of all pages', async () => {
    const place = await aProject(editor!);
    const issues: Issue[] = [];
    for (let number = 0; number < 5; number += 1)
      issues.push(await anIssueIn(editor!, place, 'PendingReview'));
    await aLink(editor!, issues[3]!, await anIssue(editor!, place));
    const whole = await attention(viewer!, `?projectId=${place.id}`);
    expect(whole.items.map(({ issue }) => issue!.key)).toEqual(
      [issues[3]!, issues[0]!, issues[1]!, issues[2]!, issues[4]!].map(({ key }) => key),
    );
    const found: Item[] = [];
    for (let path: string | null = `/api/attention?projectId=${place.id}&limit=2`; path !== null;) {
      const answer = await viewer!.get<Attention>(path);
      expect(answer.body.counts['review']).toBe(5);
      found.push(...answer.body.items);
      path = nextOf(answer);
    }
    expect(found).toEqual(whole.items);
  });

  it.each([
    [['x', 1, '2026-11-22T10:00:00Z', 'k']],
    [[1e300, 1, '2026-11-22T10:00:00Z', 'k']],
    [[-1, 2_147_483_648, '2026-11-22T10:00:00Z', 'k']],
    [[-1, 1, 'no date', 'k']],
    [[-1, 1, '0000-01-01T00:00:00Z', 'k']],
    [[-1, 1, '2026-11-22T10:00:00Z', 7]],
    [[-1, 1, '2026-11-22T10:00:00Z', 'k', 'more']],
    [[-1]],
  ])(
    'returns 400 for the invented cursor %j, and others who ask at the same time get their pages',
    async (values) => {
      const cursor = encodeCursor(values as never, 'attention');
      const [forged, ...others] = await Promise.all([
        viewer!.get(`/api/attention?cursor=${cursor}`),
        ...[editor!, admin!, viewer!].map((caller) => caller.get('/api/attention')),
      ]);
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
      await expectInvalidPaths(Promise.resolve(forged), 'cursor');
    },
  );

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=x', 'cursor'],
    ['kind=review', 'kind'],
  ])('returns 400 for %s', async (query, path) => {
    await expectInvalidPaths(viewer!.get(`/api/attention?${query}`), path);
  });
});
