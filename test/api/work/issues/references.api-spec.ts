import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, createdBy, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { closeClients, connect, type AgentClient } from '../../gateway/mcp-clients.js';
import { anAttachment } from '../attachments.forms.js';
import { pickUp, sendHeartbeat, takeTurn } from '../../gateway/heartbeat-requests.js';

/** How to name an issue. */
const NAMES: Record<string, (issue: Issue) => string> = { id: ({ id }) => id, key: ({ key }) => key };

const service = useService();
let project: Project;
let agent: Caller;
let client: AgentClient;
let places: string[];
beforeAll(async () => {
  project = await aProject(service.owner);
  agent = await asAgent(service, { maxConcurrentIssues: 100 });
  client = await connect(agent, 'client 2.4.0 (2026-07-28)');
  places = [...(await placesInBodies()), ...(await placesInQueries()), ...(await placesInTools())];
});
afterAll(closeClients);

type Schema = Loose & { properties?: Record<string, Schema>; items?: Schema; $ref?: string };

/** Every property of a schema whose name ends in `issueId`, but not in what is read-only. */
function issueIdsIn(schema: Schema, resolve: (ref: string) => Schema, path = ''): string[] {
  if (schema.$ref) return issueIdsIn(resolve(schema.$ref), resolve, path);
  if (String(schema['description'] ?? '').startsWith('Read-only')) return [];
  const below = schema.items ? issueIdsIn(schema.items, resolve, `${path}[]`) : [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(/issueId$/i.test(name) ? [`${path}.${name}`] : []),
    ...issueIdsIn(property, resolve, `${path}.${name}`),
  ]);
  return [...below, ...own];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { in: string; name: string }[];
}

async function readDocument() {
  const { body } = await service.owner.unchecked().get('/api/openapi.json');
  return body as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
}

async function placesInQueries(): Promise<string[]> {
  return Object.entries((await readDocument()).paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [] }]) =>
      parameters
        .filter((parameter) => parameter.in === 'query' && /issueId$/i.test(parameter.name))
        .map(({ name }) => `${method.toUpperCase()} ${path} ?${name}`),
    ),
  );
}

async function placesInBodies(): Promise<string[]> {
  const document = await readDocument();
  const resolve = (ref: string) => document.components.schemas[ref.split('/').pop()!]!;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        issueIdsIn(schema, resolve).map((place) => `${method.toUpperCase()} ${path} ${place}`),
      ),
    ),
  );
}

async function placesInTools(): Promise<string[]> {
  const tools = (await client.tools()) as unknown as { name: string; inputSchema: Schema }[];
  return tools.flatMap(({ name, inputSchema }) =>
    issueIdsIn(inputSchema, (ref) => {
      throw new Error(`${name} refers to ${ref}`);
    }).map((place) => `${name} ${place}`),
  );
}

async function running(): Promise<{ issue: Issue; token: number }> {
  const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
  return { issue, token: (await pickUp(agent, issue)).token };
}

async function call(tool: string, given: Record<string, unknown>): Promise<Loose> {
  const { isError, text } = await client.call(`platform__${tool}`, given);
  expect({ isError, text }).toMatchObject({ isError: undefined });
  return JSON.parse(text) as Loose;
}

/** Proves one place with one way to name an issue. */
const PROOFS: Record<string, (name: (issue: Issue) => string) => Promise<void>> = {
  'POST /api/agents/{agentId}/heartbeat .leases[].issueId': async (name) => {
    const { issue, token } = await running();
    const given = await sendHeartbeat(agent, { leases: [{ issueId: name(issue), token }], capacity: 0 });
    expect({ active: given.active, stop: given.stop }).toMatchObject({
      active: [{ issueId: name(issue) }],
      stop: [],
    });
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    const after = await sendHeartbeat(agent, { leases: [{ issueId: name(issue), token }], capacity: 0 });
    expect(after).toMatchObject({ active: [], stop: [{ issueId: name(issue), reason: 'paused' }] });
  },
  'POST /api/agents/{agentId}/turns .issueId': async (name) => {
    const { issue, token } = await running();
    expect(await takeTurn(agent, { issueId: name(issue), token })).toMatchObject({ proceed: true });
  },
  'POST /api/agents/{agentId}/heartbeat .usage[].issueId': async (name) => {
    const { issue } = await running();
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport(name(issue))] });
    expect(await reportedFor(issue)).toMatchObject([{ inputTokens: 7 }]);
  },
  'POST /api/agents/{agentId}/turns .usage[].issueId': async (name) => {
    const { issue, token } = await running();
    await takeTurn(agent, { issueId: issue.id, token, usage: [aReport(name(issue))] });
    expect(await reportedFor(issue)).toMatchObject([{ inputTokens: 7 }]);
  },
  'POST /api/projects/issues/{issueId}/finish .usage[].issueId': async (name) => {
    const { issue, token } = await running();
    const body = { token, status: 'Resolved', usage: [aReport(name(issue))] };
    expect((await agent.post(`/api/projects/issues/${issue.id}/finish`, body)).status).toBe(200);
    expect(await reportedFor(issue)).toMatchObject([{ inputTokens: 7 }]);
  },
  'POST /api/projects/{projectId}/issues .blockedByIssueId': async (name) => {
    const blocker = await anIssue(service.owner, project);
    expect(await anIssue(service.owner, project, { blockedByIssueId: name(blocker) })).toMatchObject({
      status: 'WaitingOnDependency',
    });
  },
  'POST /api/projects/issues/{issueId}/links .targetIssueId': async (name) => {
    const [issue, target] = [await anIssue(service.owner, project), await anIssue(service.owner, project)];
    const { status, body } = await service.owner.post(`/api/projects/issues/${name(issue)}/links`, {
      targetIssueId: name(target),
      linkType: 'Blocks',
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { targetIssueId: target.id } });
  },
  'GET /api/projects/gates ?issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    await createdBy(service.owner, `/api/projects/issues/${issue.id}/gates`, { question: 'x?' });
    expect(await found(`/api/projects/gates?issueId=${name(issue)}`)).toMatchObject([
      { issue: { id: issue.id } },
    ]);
  },
  'GET /api/usage ?issueId': async (name) => {
    const { issue } = await running();
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport(issue.id)] });
    expect(await found(`/api/usage?groupBy=issue&issueId=${name(issue)}`)).toMatchObject([
      { inputTokens: 7 },
    ]);
  },
  'GET /api/mcp/calls ?issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    expect(await found(`/api/mcp/calls?issueId=${name(issue)}`)).toEqual([]);
    const unknown = await service.owner.get(
      `/api/mcp/calls?issueId=${name({ id: randomUUID(), key: 'NO-1' } as Issue)}`,
    );
    expect(unknown.status).toBe(400);
  },
  'GET /api/audit ?issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    expect(await found(`/api/audit?issueId=${name(issue)}`)).toMatchObject([
      { type: 'issue.created', issueId: issue.id },
    ]);
  },
  'platform__heartbeat .leases[].issueId': async (name) => {
    const { issue, token } = await running();
    expect(await call('heartbeat', { leases: [{ issueId: name(issue), token }] })).toMatchObject({
      active: [{ issueId: name(issue) }],
      stop: [],
    });
  },
  'platform__get_issue .issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    expect(await call('get_issue', { issueId: name(issue) })).toMatchObject({ issue: { id: issue.id } });
  },
  'platform__update_issue .issueId': async (name) => {
    const { issue, token } = await running();
    const given = { issueId: name(issue), leaseToken: token, status: 'Resolved' };
    expect(await call('update_issue', given)).toMatchObject({ issue: { id: issue.id, status: 'Resolved' } });
  },
  'platform__ask_person .issueId': async (name) => {
    const { issue, token } = await running();
    const given = { issueId: name(issue), question: 'May I?', leaseToken: token };
    const { gateId } = await call('ask_person', given);
    expect(await call('gate_result', { gateId })).toMatchObject({ state: 'open', answer: null });
    const { body } = await service.owner.get(`/api/projects/gates/${String(gateId)}`);
    expect(body).toMatchObject({ issue: { id: issue.id } });
  },
  'platform__wait_for_checks .issueId': async (name) => {
    const { issue, token } = await running();
    const url = 'https://github.com/acme/web/pull/12';
    const given = { issueId: name(issue), url, leaseToken: token };
    const { gateId } = await call('wait_for_checks', given);
    const { body } = await service.owner.get(`/api/projects/gates/${String(gateId)}`);
    expect(body).toMatchObject({ kind: 'checks', state: 'open', issue: { id: issue.id } });
    const code = await service.owner.get(`/api/projects/issues/${issue.id}/code`);
    expect(code.body).toMatchObject([{ url, counts: true, createdBy: { type: 'agent' } }]);
  },
  'platform__add_comment .issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    expect(await call('add_comment', { issueId: name(issue), content: 'x' })).toMatchObject({
      comment: { issueId: issue.id },
    });
  },
  'platform__link_issues .issueId': (name) => link(name),
  'platform__link_issues .targetIssueId': (name) => link(name),
  'platform__unlink_issues .issueId': async (name) => {
    const [issue, target] = [await anIssue(service.owner, project), await anIssue(service.owner, project)];
    const { id: linkId } = await aLink(service.owner, issue, target, 'RelatedTo');
    expect(await call('unlink_issues', { issueId: name(issue), linkId })).toEqual({ linkId });
  },
  'platform__list_attachments .issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    await anAttachment(service.owner, issue);
    expect(await call('list_attachments', { issueId: name(issue) })).toMatchObject({
      attachments: [{ issueId: issue.id }],
    });
  },
  'platform__add_attachment .issueId': async (name) => {
    const issue = await anIssue(service.owner, project);
    const given = { issueId: name(issue), filename: 'x', text: 'x' };
    expect(await call('add_attachment', given)).toMatchObject({ attachment: { issueId: issue.id } });
  },
  'platform__create_issue .blockedByIssueId': async (name) => {
    const blocker = await anIssue(service.owner, project);
    const given = { projectId: project.key, title: 'x', blockedByIssueId: name(blocker) };
    expect(await call('create_issue', given)).toMatchObject({ issue: { status: 'WaitingOnDependency' } });
  },
};

const found = async (path: string) => (await service.owner.get<Loose[]>(path)).body;

const aReport = (issueId: string) => ({ reportId: randomUUID(), issueId, inputTokens: 7, outputTokens: 0 });

async function reportedFor(issue: Issue): Promise<Loose[]> {
  return (await service.owner.get<Loose[]>(`/api/usage?groupBy=issue&issueId=${issue.id}`)).body;
}

async function link(name: (issue: Issue) => string): Promise<void> {
  const [issue, target] = [await anIssue(service.owner, project), await anIssue(service.owner, project)];
  const given = { issueId: name(issue), targetIssueId: name(target), linkType: 'RelatedTo' };
  expect(await call('link_issues', given)).toMatchObject({ link: { targetIssueId: target.id } });
}

describe('a field whose name ends in issueId', () => {
  it('has a proof, in every body of the OpenAPI document and every schema of a tool', () => {
    expect(Object.keys(PROOFS).toSorted()).toEqual(places.toSorted());
  });

  it.each(Object.keys(PROOFS).flatMap((place) => Object.keys(NAMES).map((name) => [place, name] as const)))(
    '%s takes the %s of an issue',
    (place, name) => PROOFS[place]!(NAMES[name]!),
  );
});

describe('a path with {issueId}', () => {
  it('takes the id and the key of an issue, at every route that reads', async () => {
    const issue = await anIssue(service.owner, project);
    const { paths } = await readDocument();
    const reading = Object.keys(paths).filter((path) => path.includes('{issueId}') && paths[path]!['get']);
    expect(reading.length).toBeGreaterThan(7);
    for (const path of reading)
      for (const name of Object.values(NAMES)) {
        const address = path.replace('{issueId}', name(issue));
        expect([path, (await service.owner.get(address)).status]).toEqual([path, 200]);
      }
  });
});

describe('a heartbeat', () => {
  it('returns what the worker named, for a key that names no issue, and for one that the agent does not see', async () => {
    const hidden = await anIssue(service.owner, await aProject(service.owner, { visibility: 'members' }));
    const leases = [hidden.key, 'NOWHERE-1', `${project.key}-99999999`].map((issueId) => ({
      issueId,
      token: 1,
    }));
    expect((await sendHeartbeat(agent, { leases, capacity: 0 })).stop).toEqual(
      leases.map(({ issueId }) => ({ issueId, reason: 'deleted' })),
    );
  });
});
