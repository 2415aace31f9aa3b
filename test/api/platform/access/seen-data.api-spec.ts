import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, anIssue, createdBy } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asUser, type Role } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { LocalCatalog } from '../../mcp/local-catalog.js';
import { callOf, codeOf, setAsk } from '../../gateway/approval-setting.js';
import { take } from '../../gateway/lease-setting.js';
import { installed, type Installed } from '../../gateway/mcp-setting.js';
import { accessTable } from './access-table.js';
import { aDeadServer, aMembersProject } from './access-world.js';

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '0' } });
afterAll(() => catalog.remove());

/** Who may read a text that stands in the data of a project, or of none. */
type Right = 'members' | 'people' | 'editors' | 'admins';
interface Mark {
  text: string;
  what: string;
  place: string | null;
  right: Right;
  /** The agent that it concerns, which sees it by that alone. */
  agentId?: string;
  /** Its user, who sees it by that alone. */
  userId?: string;
}
interface Reader {
  name: string;
  caller: Caller;
  role: Role | 'agent';
  place: string | null;
}

const marks: Mark[] = [];
const readers: Reader[] = [];
const ids: Record<string, string[]> = {};
let server: Installed;

const mark = (what: string, right: Right, fields: Partial<Mark> = {}): string => {
  const text = `mark-${randomBytes(9).toString('hex')}`;
  marks.push({ text, what, place: null, right, ...fields });
  return text;
};
const keep = (name: string, id: string) => (ids[name] ??= []).push(id);

beforeAll(async () => {
  await createdBy(service.owner, '/api/mcp/installed', { catalogId: 'microsoft-learn' });
  server = await installed(service, 'call-log');
  for (const place of ['one', 'other']) await fill(place);
  for (const role of ['Admin', 'Owner'] as const)
    readers.push({ name: role, caller: await asUser(service, role), role, place: null });
  const dead = await aDeadServer(service);
  await service.sql(
    `UPDATE installed_servers SET status = 'error', status_reason = $2, name = $3 WHERE id = $1`,
    [dead, mark('why a server fails', 'admins'), mark('the name of a server', 'admins')],
  );
});

/** A members-only project with readers of all kinds, and one object of each kind with a text of its own. */
async function fill(place: string): Promise<void> {
  const agent = await asAgent(service);
  const colleague = await asAgent(service);
  const people = await Promise.all(
    (['Viewer', 'Editor'] as const).map(async (role) => ({ role, caller: await asUser(service, role) })),
  );
  const { owner } = service;
  const { id: projectId } = await aMembersProject(owner, [
    ...[agent, colleague].map(({ id }) => ({ agentId: id, role: 'Viewer' })),
    ...people.map(({ role, caller }) => ({ userId: caller.id, role })),
  ]);
  readers.push({ name: `agent of ${place}`, caller: agent, role: 'agent', place });
  readers.push({ name: `another agent of ${place}`, caller: colleague, role: 'agent', place });
  for (const { role, caller } of people) readers.push({ name: `${role} of ${place}`, caller, role, place });

  const issue = await anIssue(
    owner,
    { id: projectId },
    {
      title: mark('the title of an issue', 'members', { place }),
      assignedAgentId: agent.id,
    },
  );
  const holder = await take(agent, service, issue);
  const run = { token: holder.token, output: mark('the output of a run', 'members', { place }) };
  await agent.put(`/api/projects/issues/${issue.id}/run`, run);
  await aComment(owner, issue, mark('a comment', 'members', { place }));
  const usage = [
    {
      reportId: crypto.randomUUID(),
      inputTokens: 1,
      outputTokens: 1,
      model: mark('a model', 'people', { place, agentId: agent.id }),
    },
  ];
  await agent.post('/api/agents/me/turns', { issueId: issue.id, token: holder.token, usage });
  await setAsk(service, server, agent);
  const round = mark('an argument', 'editors', { place, agentId: agent.id });
  const args = { round, ms: 0 };
  expect(codeOf(await callOf(holder.caller, server, 'work', args))).toBe('approval_pending');
  const question = { question: mark('a question', 'members', { place }) };
  const gate = await createdBy<{ id: string }>(owner, `/api/projects/issues/${issue.id}/gates`, question);
  const alone = { question: mark('a question without an issue', 'admins', { agentId: agent.id }) };
  await callTool(agent, 'ask_person', alone);
  await owner.put(`/api/projects/issues/${issue.id}/budget`, { turns: 5, period: 'total' });
  const viewer = people[0]!.caller;
  await createdBy(owner, `/api/users/${viewer.id}/keys`, {
    name: mark('the name of a key', 'admins', { userId: viewer.id }),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const goal = { title: mark('a goal', 'members', { place }) };
  keep('goalId', (await createdBy<{ id: string }>(owner, `/api/projects/${projectId}/goals`, goal)).id);
  keep('projectId', projectId);
  keep('issueId', issue.id);
  keep('agentId', agent.id);
  keep('gateId', gate.id);
  for (const { id } of (await owner.get<{ id: string }[]>(`/api/projects/gates?issueId=${issue.id}`)).body)
    keep('gateId', id);
  for (const { id } of (await owner.get<{ id: string }[]>(`/api/projects/gates?agentId=${agent.id}`)).body)
    keep('gateId', id);
}

const callTool = (agent: Caller, name: string, args: object) =>
  callOf(agent, { ...server, slug: 'platform' }, name, args);

const LADDER = ['Viewer', 'Editor', 'Admin', 'Owner'];
const LEAST: Record<Right, Role> = {
  members: 'Viewer',
  people: 'Viewer',
  editors: 'Editor',
  admins: 'Admin',
};

function maySee({ caller, role, place }: Reader, one: Mark): boolean {
  if (one.agentId === caller.id || one.userId === caller.id) return true;
  if (role === 'Admin' || role === 'Owner') return true;
  if (one.right === 'admins' || place !== one.place) return false;
  return role === 'agent'
    ? one.right === 'members'
    : LADDER.indexOf(role) >= LADDER.indexOf(LEAST[one.right]);
}

/** The ways to ask a route for more than it returns by default. */
const QUERIES: Record<string, string[]> = {
  'GET /api/attention': ['?limit=1000'],
  'GET /api/usage': ['agent', 'project', 'issue', 'model', 'day'].map((by) => `?groupBy=${by}&limit=1000`),
  'GET /api/projects/gates': ['?limit=1000', '?state=open', '?kind=approval'],
  'GET /api/projects/{projectId}/graph': ['', '?done=true'],
  'GET /api/projects/issues': ['?limit=1000&fields=summary,why', '?q=mark'],
};

/** Every GET that ends, with every object that its path may name. */
function pathsOf({ route, path }: { route: string; path: string }): string[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const paths = named.reduce(
    (all, name) => all.flatMap((one) => (ids[name] ?? []).map((id) => one.replace(`{${name}}`, id))),
    [path],
  );
  return paths.flatMap((one) => (QUERIES[route] ?? ['']).map((query) => one + query));
}

const reading = accessTable.filter(
  ({ method, path }) => method === 'GET' && !/^\/(api\/events|mcp|metrics)|\/mcp$|download/.test(path),
);

describe('what each caller reads, over all routes with GET', () => {
  it('is what docs/access.md lets the caller see, and all of it', async () => {
    const wrong: string[] = [];
    for (const reader of readers) {
      const seen = new Set<Mark>();
      for (const row of reading) {
        const paths = pathsOf(row);
        const answers = await Promise.all(paths.map((path) => reader.caller.get(path)));
        answers.forEach(({ text }, at) => {
          for (const one of marks.filter((each) => text.includes(each.text))) {
            seen.add(one);
            if (!maySee(reader, one))
              wrong.push(`${reader.name} sees ${one.what} of ${one.place}: ${paths[at]}`);
          }
        });
      }
      const missing = marks.filter((one) => maySee(reader, one) && !seen.has(one));
      wrong.push(...missing.map(({ what, place }) => `${reader.name} does not see ${what} of ${place}`));
    }
    expect(wrong).toEqual([]);
  });
});
