import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/answer.js';
import { anIssue, createdBy, someKey, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asUser } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService, type Service } from '../../support/service.js';
import { aDeadServer, aPlace, makers, requestOf, type Place } from './access/access-world.js';

type Operation = { parameters?: { name: string }[]; security?: Record<string, unknown>[] };
const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> };
const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([method]) => ['post', 'put', 'delete'].includes(method))
    .map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      honours: operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false,
      isForAgents: operation.security?.every((scheme) => 'agent' in scheme) ?? false,
    })),
);
const honouring = routes.filter(({ honours }) => honours);

/** What the repetition gets again: whatever was done, and refusals that depend on the state. Others are decided again. */
const REPEATED = new Set([200, 201, 204, 404, 409, 412]);

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? Math.ceil(1_000 / honouring.length) : 1;

const service = useService();
let processes: [Service, Service];
let agent: Caller;
let place: Place;
let server: string;
beforeAll(async () => {
  processes = [service, await service.second()];
  agent = await asAgent(service);
  place = await aPlace(service.owner, agent, [{ agentId: agent.id, role: 'Viewer' }]);
  await createdBy(service.owner, '/api/mcp/installed', { catalogId: 'microsoft-learn' });
  server = await aDeadServer(service);
});

/** A path that names objects of this request alone, which a repetition cannot find changed by another test. */
async function pathOf(path: string): Promise<string> {
  const fresh: Record<string, string> = { id: server, toolName: 'x', deliveryId: randomUUID() };
  if (/\/(finish|release|run)$/.test(path)) fresh['issueId'] = await takenIssue();
  if (path.includes('/keys/{keyId}')) return `${await aKeyOf(path)}`;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  for (const name of names) fresh[name] ??= (await makers[name]?.(service.owner, place)) ?? place.ids[name]!;
  if (/heartbeat|turns/.test(path)) fresh['agentId'] = 'me';
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => fresh[name] ?? randomUUID());
}

async function takenIssue(): Promise<string> {
  const issue = await anIssue(service.owner, place.project, { assignedAgentId: agent.id });
  await agent.post('/api/agents/me/heartbeat', {});
  return issue.id;
}

async function aKeyOf(path: string): Promise<string> {
  const kind = path.includes('agentId') ? 'agentId' : 'userId';
  const owner = path.includes('/auth/')
    ? '/api/auth'
    : `/api/${kind.slice(0, -2)}s/${await makers[kind]!(service.owner, place)}`;
  const { id } = await createdBy<{ id: string }>(service.owner, `${owner}/keys`, { name: 'x' });
  return `${owner}/keys/${id}`;
}

const BODIES: Record<string, () => object> = {
  'POST /api/mcp/installed': () => ({ catalogId: 'microsoft-learn', name: someName('server') }),
  'POST /api/webhooks': () => ({ url: 'https://hooks.example.com/x' }),
  'PUT /api/webhooks/{webhookId}': () => ({ url: 'https://hooks.example.com/y' }),
  'POST /api/projects': () => ({ key: someKey(), name: 'x' }),
};

/** Returns a function that sends the same request each time, to either process. */
async function sender({ route, method, path, isForAgents }: (typeof routes)[number]) {
  const query = method === 'DELETE' && /\/(projectId|issueId)\}$/.test(path) ? '?confirm=true' : '';
  const url = (await pathOf(path)) + query;
  const key = randomUUID();
  const body = BODIES[route]?.();
  // The document describes the errors of the MCP endpoint as JSON-RPC.
  const isRpc = /^\/mcp$|Id\}\/mcp$/.test(path);
  const keyed = isForAgents ? agent : service.owner;
  const caller = isRpc ? agent.unchecked() : keyed;
  const options = body ? { body } : requestOf(route, 'own', { own: place, foreign: place });
  return (at: Service): Promise<Answer> => {
    const multipart =
      'multipart' in options ? requestOf(route, 'own', { own: place, foreign: place }) : options;
    const headers = { ...options.headers, 'Idempotency-Key': key };
    return caller.at(at).request(method, url, { ...multipart, headers });
  };
}

const effects = async () =>
  Number((await service.sql<{ count: string }>('SELECT count(*) FROM journal'))[0]!.count);

describe.each(honouring)('the response to $route is lost, and the request is sent again', (row) => {
  it('to another process, which returns the same response and changes nothing', async () => {
    for (let n = 0; n < ROUNDS; n += 1) {
      const send = await sender(row);
      const first = await send(processes[0]);
      expect([row.route, first.status, first.text]).not.toEqual([
        row.route,
        400,
        expect.stringContaining('Idempotency-Key'),
      ]);
      const before = await effects();
      const again = await send(processes[1]);
      expect([row.route, again.status]).toEqual([row.route, first.status]);
      if (!REPEATED.has(first.status)) continue;
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.body).toEqual(first.body);
      expect(await effects()).toBe(before);
    }
  });
});

describe.each(routes.filter(({ honours }) => !honours))('$route', (row) => {
  it('refuses an Idempotency-Key, because it means nothing there', async () => {
    const send = await sender(row);
    const answer = await send(processes[0]);
    // The routes of sessions refuse a key before they look at anything else.
    if (answer.status !== 403)
      expect(answer).toMatchObject(refused(400, 'validation_failed', 'Idempotency-Key'));
  });
});

describe('a request that is sent to both processes at once', () => {
  it('is executed once', async () => {
    for (let n = 0; n < 5 * ROUNDS; n += 1) {
      const row = honouring.find(({ route }) => route === 'POST /api/agents')!;
      const send = await sender(row);
      const answers = await Promise.all([...processes, ...processes].map((at) => send(at)));
      const done = answers.filter(({ status }) => status === 201);
      expect(new Set(done.map(({ body }) => body['id'])).size).toBe(1);
      for (const answer of answers.filter(({ status }) => status !== 201))
        expect(answer).toMatchObject(refused(409, 'idempotency_key_in_use'));
    }
  });
});

describe('a stored response', () => {
  it('is returned only to a caller who may still do in the project what it did', async () => {
    const editor = await asUser(service, 'Editor');
    const project = place.project;
    await service.owner.put(`/api/projects/${project.id}/members`, {
      entries: [{ userId: editor.id, role: 'Editor' }],
    });
    const issue = await anIssue(service.owner, project);
    const send = () =>
      editor.put(
        `/api/projects/issues/${issue.id}`,
        { title: 'New.' },
        { headers: { 'Idempotency-Key': 'k' } },
      );
    expect((await send()).status).toBe(200);
    expect((await send()).headers['idempotency-replayed']).toBe('true');
    await service.owner.put(`/api/projects/${project.id}/members`, {
      entries: [{ userId: editor.id, role: null }],
    });
    expect((await send()).status).toBe(404);
  });

  it('holds no secret in clear', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { body } = await service.owner.post('/api/agents', { name: someName('agent') }, { headers });
    const [row] = await service.sql<{ body: string }>('SELECT body FROM idempotency_keys WHERE key = $1', [
      headers['Idempotency-Key'],
    ]);
    expect(row!.body).not.toContain(String(body['key']));
    expect(row!.body).toMatch(/^v1\./);
  });
});
