import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  aGoal,
  aLink,
  anIssue,
  aProject,
  createdBy,
  type Issue,
  type Project,
} from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { pickUp, type Held } from '../gateway/heartbeat-requests.js';
import {
  clientKinds,
  closeClients,
  connect,
  type AgentClient,
  type CallResult,
} from '../gateway/mcp-clients.js';
import { grant, installed, type Installed } from '../gateway/mcp-setting.js';
import { anAttachment } from '../work/attachments.forms.js';
import { accessTable, type AccessRow } from '../platform/access/access-table.js';
import { makers, requestOf, type Place } from '../platform/access/access-world.js';

const catalog = new LocalCatalog().stdio('offering', ['all-features.mjs']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
let server: Installed;
beforeAll(async () => {
  server = await installed(service, 'offering');
});
afterAll(() => catalog.remove());
const setHalt = (halted: boolean) => service.owner.put('/api/agents/halt', { halted });
afterEach(async () => {
  await setHalt(false);
  await closeClients();
});

interface Work {
  agent: Caller;
  project: Project;
  issue: Issue;
  held: Held;
}

/** An agent with an issue of its own that it works on. */
async function someWork(fields: object = {}): Promise<Work> {
  const [agent, project] = [await asAgent(service, { ...fields }), await aProject(service.owner)];
  return { agent, project, ...(await moreWork({ agent, project })) };
}

/** Another issue that the agent works on. */
async function moreWork({ agent, project }: Pick<Work, 'agent' | 'project'>) {
  const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
  return { issue, held: await pickUp(agent, issue) };
}

/** What a route that only reads leaves as it was, so that all of them can use it. */
let ofReaders: Work | null = null;

/** Returns what an agent has before and during the halt: issues of the same project, where the route changes something. */
async function workFor({ method }: AccessRow): Promise<[Work, Work]> {
  if (method === 'GET') return [(ofReaders ??= await someWork()), ofReaders];
  const work = await someWork({ maxConcurrentIssues: 2 });
  return [work, { ...work, ...(await moreWork(work)) }];
}

/** Routes that show an agent the halt. All others do what they did before. */
const OF_WORK = ['POST /api/agents/{agentId}/heartbeat', 'POST /api/agents/{agentId}/turns'];
const rows = accessTable.filter(({ agents, users }) => agents !== 'no' && users !== 'anyone');

/** Returns a path with objects that the agent made itself, where it can make such. */
async function pathOf({ path, route }: AccessRow, { agent, project, issue }: Work): Promise<string> {
  const ids: Record<string, string> = { projectId: project.id, issueId: issue.id, agentId: 'me' };
  const place: Place = { project, ids, target: issue.id };
  const byAgent = ['commentId', 'attachmentId', 'linkId'];
  for (const [, name] of path.matchAll(/\{(\w+)\}/g))
    ids[name!] ??=
      (await makers[name!]?.(byAgent.includes(name!) ? agent : service.owner, place)) ?? randomUUID();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  return route === 'DELETE /api/projects/issues/{issueId}' ? `${filled}?confirm=true` : filled;
}

/** Returns the status and, of a refusal, its code. Of a response that does not end only the head is read. */
async function outcomeOf(row: AccessRow, work: Work, path: string): Promise<unknown[]> {
  const target = row.path.endsWith('/links') ? (await anIssue(service.owner, work.project)).id : '';
  const own: Place = { project: work.project, ids: { issueId: work.issue.id }, target };
  const { statusCode, headers, body } = await work.agent.open(
    row.method,
    path,
    requestOf(row.route, 'own', { own, foreign: own }),
  );
  body.on('error', () => undefined);
  const type = String(headers['content-type']);
  if (type.includes('problem+json')) return [statusCode, ((await body.json()) as { code: string }).code];
  if (type.includes('event-stream')) body.destroy();
  else await body.dump();
  return [statusCode];
}

describe('an agent while all agents are halted', () => {
  it('has routes to try', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.map(({ route }) => route)).toEqual(expect.arrayContaining(OF_WORK));
  });

  it.each(rows.filter(({ route }) => !OF_WORK.includes(route)).map((row) => [row.route, row] as const))(
    'gets from %s what it got before',
    async (_, row) => {
      const [before, during] = await workFor(row);
      const paths = [await pathOf(row, before), await pathOf(row, during)] as const;
      const usual = await outcomeOf(row, before, paths[0]);
      await setHalt(true);
      expect(await outcomeOf(row, during, paths[1])).toEqual(usual);
    },
  );
});

type Given = (work: Work) => Promise<Record<string, unknown>> | Record<string, unknown>;
const onIssue: Given = ({ issue }) => ({ issueId: issue.id });

/** Arguments with which each tool of the platform does what it is for. */
const TOOLS: Record<string, Given> = {
  next_issue: () => ({}),
  heartbeat: ({ held }) => ({ leases: [held], capacity: 1 }),
  my_issues: () => ({}),
  list_issues: ({ project }) => ({ projectId: project.id }),
  get_issue: onIssue,
  get_goal: async ({ project }) => ({ goalId: (await aGoal(service.owner, project)).id }),
  create_issue: ({ project }) => ({ projectId: project.id, title: 'x' }),
  plan_issues: ({ project }) => ({ projectId: project.id, issues: [{ ref: 'a', title: 'x' }] }),
  update_issue: ({ held: { issueId, token } }) => ({ issueId, leaseToken: token, status: 'Resolved' }),
  add_comment: ({ issue }) => ({ issueId: issue.id, content: 'x' }),
  link_issues: async ({ issue, project }) => ({
    issueId: issue.id,
    targetIssueId: (await anIssue(service.owner, project)).id,
    linkType: 'RelatedTo',
  }),
  unlink_issues: async ({ issue, project }) => ({
    issueId: issue.id,
    linkId: (await aLink(service.owner, issue, await anIssue(service.owner, project), 'RelatedTo')).id,
  }),
  list_attachments: onIssue,
  read_attachment: async ({ issue }) => ({ attachmentId: (await anAttachment(service.owner, issue)).id }),
  add_attachment: ({ issue }) => ({ issueId: issue.id, filename: 'x', text: 'x' }),
  ask_person: ({ held: { issueId, token } }) => ({ issueId, leaseToken: token, question: 'x?' }),
  wait_for_checks: ({ held: { issueId, token } }) => ({ issueId, leaseToken: token }),
  gate_result: async ({ issue }) => ({
    gateId: (
      await createdBy<{ id: string }>(service.owner, `/api/projects/issues/${issue.id}/gates`, {
        question: 'x?',
      })
    ).id,
  }),
};

const READING = new Set([
  'next_issue',
  'heartbeat',
  ...[
    'my_issues',
    'list_issues',
    'get_issue',
    'get_goal',
    'list_attachments',
    'read_attachment',
    'gate_result',
  ],
]);

const newest = clientKinds[1];
const callOf = async (work: Work, client: AgentClient, tool: string, given: Record<string, unknown>) => {
  const other = await anIssue(service.owner, work.project, { assignedAgentId: work.agent.id });
  return { other, result: await client.call(`platform__${tool}`, given) };
};
const codeOf = ({ isError, structuredContent }: CallResult) =>
  isError ? String(structuredContent?.code) : 'ok';

describe.each(Object.entries(TOOLS))('the tool platform__%s', (tool, given) => {
  it('does the same while all agents are halted, but hands out no work', async () => {
    const work = await someWork();
    const client = await connect(work.agent, newest);
    const args = await given(work);
    await setHalt(true);
    const { result } = await callOf(work, client, tool, args);
    expect([tool, codeOf(result), result.text]).toEqual([tool, 'ok', result.text]);
    if (tool === 'next_issue') expect(result.structuredContent).toMatchObject({ issue: null });
    if (tool === 'heartbeat')
      expect(result.structuredContent).toMatchObject({ pickedUp: [], stop: [{ reason: 'halted' }] });
  });

  it('changes nothing for a disabled agent', async () => {
    const work = await someWork();
    const client = await connect(work.agent, newest);
    const args = await given(work);
    await service.owner.put(`/api/agents/${work.agent.id}`, { disabled: true });
    const { result } = await callOf(work, client, tool, args);
    expect([tool, codeOf(result)]).toEqual([tool, READING.has(tool) ? 'ok' : 'agent_disabled']);
    if (tool === 'next_issue') expect(result.structuredContent).toMatchObject({ issue: null });
    if (tool === 'heartbeat')
      expect(result.structuredContent).toMatchObject({ pickedUp: [], stop: [{ reason: 'disabled' }] });
  });
});

it('each tool of the platform is tried above', async () => {
  const client = await connect(await asAgent(service), newest);
  const names = (await client.toolNames()).flatMap((name) => /^platform__(.+)$/.exec(name)?.[1] ?? []);
  expect(names.toSorted()).toEqual(Object.keys(TOOLS).toSorted());
});

describe.each(['halted', 'disabled'])('a server of an agent that is %s', (how) => {
  const suspend = ({ agent }: Work) =>
    how === 'halted' ? setHalt(true) : service.owner.put(`/api/agents/${agent.id}`, { disabled: true });

  it.each(clientKinds)(
    'gives it no tool, prompt, resource, template or completion, with %s',
    async (kind) => {
      const work = await someWork();
      await grant(service, server, work.agent);
      const client = await connect(work.agent, kind);
      const prompt = `${server.slug}__greet`;
      const uri = `awp+${server.slug}:note://1`;
      const requests: Record<string, () => Promise<unknown>> = {
        'prompts/get': () => client.prompt(prompt, { who: 'x' }),
        'resources/read': () => client.read(uri),
        'completion/complete': () =>
          client.complete({
            ref: { type: 'ref/prompt', name: prompt },
            argument: { name: 'who', value: 'x' },
          }),
      };
      for (const request of Object.values(requests)) await request();
      const lists = async () => [
        (await client.toolNames()).filter((name) => name.startsWith(server.slug)).length,
        (await client.prompts()).length,
        (await client.resources()).length,
        (await client.templates()).length,
      ];
      expect((await lists()).every((length) => length > 0)).toBe(true);
      const [tool] = (await client.toolNames()).filter((name) => name.startsWith(server.slug));
      await suspend(work);
      expect(await lists()).toEqual([0, 0, 0, 0]);
      expect(await client.call(tool!)).toMatchObject({ isError: true, text: expect.stringContaining(how) });
      for (const [method, request] of Object.entries(requests))
        expect([method, await request().catch((error: Error) => error.message)]).toEqual([
          method,
          expect.stringContaining(how),
        ]);
    },
  );
});
