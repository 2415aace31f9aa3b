import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Answer } from '../../support/answer.js';
import { aComment, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../support/callers.js';
import { EventStream } from '../../support/event-stream.js';
import { refused } from '../../support/refusal.js';
import { ANSWERING, useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { pickUp, sendHeartbeat, takeTurn } from '../gateway/heartbeat-requests.js';
import { modern, modernRequest, session, subscribe } from '../gateway/wire-call.js';
import { grant, installed, type Installed } from '../gateway/mcp-setting.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { file, form, send } from '../work/attachments.forms.js';

const KIB = 1024;
const LIMITS = {
  BODY_MAX_BYTES: 128 * KIB,
  PAGE_MAX_BYTES: 128 * KIB,
  ANSWER_MAX_BYTES: 1024 * KIB,
  STREAMS_PER_PRINCIPAL: 2,
  REQUESTS_PER_PRINCIPAL: 4,
  MCP_SESSIONS_PER_AGENT: 2,
  MCP_TOOLS_MAX_BYTES: 64 * KIB,
  COMMENTS_PER_AGENT_HOUR: 3,
  COMMENT_BYTES_PER_AGENT_HOUR: 100 * KIB,
  ATTACHMENTS_PER_AGENT_HOUR: 2,
  ATTACHMENT_BYTES_PER_AGENT_HOUR: 50 * KIB,
  USAGE_REPORTS_PER_AGENT_HOUR: 3,
  MCP_FRAME_MAX_BYTES: 128 * KIB,
};
const settings = Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, String(value)]));
const catalog = new LocalCatalog()
  .stdio('large', ['memory-attacks.mjs'])
  .stdio('listed', ['tools-from-file.mjs'], {
    variables: [{ name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
  });
afterAll(() => catalog.remove());
const service = useService({ settings: { ...settings, CATALOG_DIRS: catalog.folder } });
const full = 'x'.repeat(64 * KIB);
const overQuota = refused(429, 'quota_exceeded');

type Attention = Answer<{ items: { id: string }[]; counts: Record<string, number> }>;

let editor: Caller;
let project: Project;
let issue: Issue;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
  issue = await anIssue(editor, project);
});

const open: Socket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

/** Sends a request over a connection of its own, and reads nothing of the response unless `reads`. */
function raw(to: Service, text: string, reads = false): Socket {
  const { hostname, port } = new URL(to.baseUrl);
  const socket = connect(Number(port), hostname);
  open.push(socket);
  socket.on('error', () => undefined);
  if (reads) socket.resume();
  else socket.pause();
  socket.write(text);
  return socket;
}

describe('bytes of requests and answers', () => {
  it('a larger body is 413, and the service reads the next one', async () => {
    const name = 'n'.repeat(LIMITS.BODY_MAX_BYTES);
    expect(await editor.post('/api/projects', { name })).toMatchObject(refused(413, 'payload_too_large'));
    await aProject(editor);
  });

  it('a page ends at its limit, and the next one continues without a loss', async () => {
    const place = await anIssue(editor, project);
    for (let n = 0; n < 20; n += 1) await aComment(editor, place, n < 3 ? full : `comment ${n}`);
    const read: string[] = [];
    let path: string | null = `/api/projects/issues/${place.id}/comments?limit=1000`;
    const sizes: number[] = [];
    while (path) {
      const page: Awaited<ReturnType<typeof editor.get<{ content: string }[]>>> = await editor.get(path);
      read.push(...page.body.map(({ content }) => content));
      sizes.push(page.body.length);
      path = /<(.+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? null;
    }
    expect(sizes[0]).toBe(1);
    expect(read).toHaveLength(20);
    expect(new Set(read.slice(3)).size).toBe(17);
  });

  it('a larger answer is 422, and its parts can be read one by one', async () => {
    const agents = [];
    for (let n = 0; n < 17; n += 1) agents.push(await asAgent(service, { description: full }));
    expect(await editor.get('/api/agents')).toMatchObject(refused(422, 'answer_too_large'));
    expect((await editor.get(`/api/agents/${agents[0]!.id}`)).body).toMatchObject({ description: full });
    for (const { id } of agents)
      await service.sql('UPDATE agents SET description = $1 WHERE id = $2', ['', id]);
    expect((await editor.get('/api/agents')).status).toBe(200);
  });

  it('a larger message to the MCP endpoint is 413', async () => {
    const agent = await asAgent(service);
    const value = 'x'.repeat(LIMITS.MCP_FRAME_MAX_BYTES);
    const frame = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'a__b', arguments: { value } },
    };
    const headers = { accept: 'application/json, text/event-stream' };
    const answer = await agent.unchecked().post('/mcp', frame, { headers });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: -32000 } } });
  });
});

describe('what one caller has open', () => {
  it('a further event stream is 429, and one more is open when one has ended', async () => {
    const viewer = await asViewer(service);
    const [first] = [await EventStream.open(viewer), await EventStream.open(viewer)];
    const refusal = await viewer.get('/api/events');
    expect(refusal).toMatchObject(refused(429, 'rate_limited'));
    expect(refusal.headers['retry-after']).toBe('1');
    await EventStream.open(await asViewer(service));
    first.close();
    await until(async () => (await viewer.open('GET', '/api/events')).statusCode === 200);
  });

  it('a further MCP session ends the least used one of the agent, which is revived when it is used', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const [first, second, others] = [await session(agent), await session(agent), await session(other)];
    const [firstStream, secondStream, othersStream] = [
      await notices(agent, first.id),
      await notices(agent, second.id),
      await notices(other, others.id),
    ];
    await session(agent);
    await until(() => firstStream.hasEnded());
    expect([secondStream.hasEnded(), othersStream.hasEnded()]).toEqual([false, false]);
    expect((await first.request('tools/list')).status).toBe(200);
  });

  it('MCP sessions that are opened at once leave as many as an agent may have', async () => {
    const agent = await asAgent(service);
    const all = await Promise.all(Array.from({ length: 12 }, () => session(agent)));
    const streams = await Promise.all(
      all.map(({ id }) =>
        agent.open('GET', '/mcp', { headers: { accept: 'text/event-stream', 'mcp-session-id': id } }),
      ),
    );
    // One that ended is revived where another one can give way, and is refused its stream otherwise.
    let held = 0;
    for (const { body, statusCode } of streams) {
      if (statusCode === 200) held += 1;
      body
        .on('error', () => undefined)
        .once('close', () => (held -= statusCode === 200 ? 1 : 0))
        .resume();
    }
    await until(() => held <= LIMITS.MCP_SESSIONS_PER_AGENT * ANSWERING);
  });

  it('initialize with more than 64 KiB is 413, because its session would keep it', async () => {
    const agent = await asAgent(service);
    const greet = (name: string) =>
      agent.unchecked().post(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
        },
        { headers: { accept: 'application/json, text/event-stream' } },
      );
    expect(await greet('n'.repeat(64 * KIB))).toMatchObject({
      status: 413,
      body: { error: { code: -32000 } },
    });
    expect((await greet('n'.repeat(32 * KIB))).status).toBe(200);
  });

  it('a further subscription of an agent is refused, and one more is open when one has ended', async () => {
    const agent = await asAgent(service);
    const [kept] = [await subscribe(agent), await subscribe(agent)];
    const refusal = await subscribe(agent);
    expect(await refusal.body.text()).toContain('limit');
    kept.body.destroy();
    await until(async () => {
      const again = await subscribe(agent);
      const isOpen = again.headers['content-type'] === 'text/event-stream';
      again.body.on('error', () => undefined).destroy();
      return isOpen;
    });
  });

  it('a further request is 429, while others and its heartbeats are served', async () => {
    const agent = await asAgent(service);
    const body = `POST /api/projects/issues/${issue.id}/comments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent.key}\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`;
    let sockets: Socket[] = [];
    // Of those that arrive together any may be the refused one.
    const refusal = await until(async () => {
      for (const socket of sockets) socket.destroy();
      sockets = Array.from({ length: LIMITS.REQUESTS_PER_PRINCIPAL }, () => raw(service, body, true));
      await until(() => sockets.every(({ writableLength }) => writableLength === 0));
      const answer = await agent.get('/api/auth/me');
      return answer.status === 429 ? answer : null;
    });
    expect(refusal.body).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('4 requests open'),
    });
    expect((await agent.post('/api/agents/me/heartbeat')).status).toBe(200);
    expect((await editor.get('/api/auth/me')).status).toBe(200);
    const tool = await modern(agent, 'tools/call', { name: 'platform__my_issues' });
    expect(tool.status).toBe(429);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await agent.get('/api/auth/me')).status === 200);
  });

  it('is forgotten too where the client left while its key was read', async () => {
    const agent = await asAgent(service);
    const lines = `GET /api/auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent.key}\r\n\r\n`;
    const keys = await lockKeys();
    try {
      const sockets = Array.from({ length: LIMITS.REQUESTS_PER_PRINCIPAL }, () => raw(service, lines, true));
      await until(keys.isAwaited);
      await afterAllThatArrived();
      for (const socket of sockets) socket.destroy();
      await afterAllThatArrived();
    } finally {
      await keys.release();
    }
    await until(async () => (await agent.get('/api/auth/me')).status === 200);
  });
});

/** Another connection is served after the service has read what came on these before. */
async function afterAllThatArrived(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await anonymous(service).get('/livez');
}

/** Keeps the service from reading keys. `isAwaited` is true once a statement of the service waits for one. */
async function lockKeys() {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
  const waiting = `SELECT FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted`;
  return {
    isAwaited: async () => (await client.query(waiting)).rowCount! > 0,
    release: () => client.end(),
  };
}

describe('what one server lists', () => {
  const tool = (name: string, description: string) => ({
    name,
    description,
    inputSchema: { type: 'object' },
  });

  it('is not taken beyond the bytes of tools: agents keep the last list, and a verification says so', async () => {
    const agent = await asAgent(service);
    const small = ['small', 'changed', 'listings'].map((name) => tool(name, 'does little'));
    const list = (...more: string[]) =>
      catalog.toolsFile('growing', [...small, ...more.map((name) => tool(name, 'x'.repeat(22 * KIB)))]);
    const server = await installed(service, 'listed', { envValues: { TOOLS_FILE: list() } });
    await grant(service, server, agent);
    const call = async (name: string) => {
      const { message } = await modern(agent, 'tools/call', { name: `${server.slug}__${name}` });
      return JSON.stringify(message);
    };
    const relisted = async (): Promise<string[]> => {
      const before = await call('listings');
      await call('changed');
      await until(async () => (await call('listings')) !== before);
      const { message } = await modern(agent, 'tools/list');
      const { tools } = message['result'] as unknown as { tools: { name: string }[] };
      return tools.map(({ name }) => name).filter((name) => name.startsWith(`${server.slug}__`));
    };
    list('a', 'b', 'c');
    expect(await relisted()).toHaveLength(3);
    const verify = () => service.owner.post(`/api/mcp/installed/${server.id}/verify`);
    const failed = await verify();
    expect(failed.body).toMatchObject({ status: 'error' });
    expect(failed.text).toContain(`${LIMITS.MCP_TOOLS_MAX_BYTES} bytes`);
    list('a', 'b');
    expect((await verify()).body).toMatchObject({ status: 'ok' });
  });
});

describe('what needs a person', () => {
  it('is listed in pages of the size of other lists, each item once', async () => {
    const place = await aProject(editor);
    const options = Array.from({ length: 10 }, (_, n) => `${n} ${'é'.repeat(490)}`);
    for (let at = 0; at < 12; at += 1) {
      const { id } = await anIssue(editor, place);
      const asked = { question: `${at} ${'x'.repeat(16_000)}`, options };
      expect((await editor.post(`/api/projects/issues/${id}/gates`, asked)).status).toBe(201);
    }
    const seen: string[] = [];
    let next: string | undefined = `/api/attention?projectId=${place.id}`;
    let pages = 0;
    for (; next; pages += 1) {
      const { text, body, headers }: Attention = await editor.get(next);
      expect(text.length).toBeLessThan(2 * LIMITS.PAGE_MAX_BYTES);
      expect(body.counts['gate']).toBe(12);
      seen.push(...body.items.map(({ id }) => id));
      next = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
    }
    expect(pages).toBeGreaterThan(2);
    expect([seen.length, new Set(seen).size]).toEqual([12, 12]);
  });
});

describe('what a heartbeat or turn says of comments', () => {
  const texts = (comments: { content: string }[]) => comments.map(({ content }) => content.slice(0, 2));
  const say = async (on: Issue, ...names: string[]) => {
    for (const name of names) await aComment(editor, on, `${name} ${'x'.repeat(50 * KIB)}`);
  };

  it('are the newest ones whose texts fit in a page, for all issues together', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 2 });
    const own = { assignedAgentId: agent.id };
    const [first, second] = [await anIssue(editor, project, own), await anIssue(editor, project, own)];
    for (const each of [first, second]) await say(each, 'c1', 'c2', 'c3', 'c4');
    const begun = await sendHeartbeat(agent, { worker: 'w' });
    const briefs = begun.work!.map(({ brief }) => brief!);
    expect(briefs).toHaveLength(2);
    for (const brief of briefs) expect(brief.match(/^c\d (?=x)/gm)).toEqual(['c4 ']);
    await say(first, 'd1', 'd2', 'd3', 'd4');
    await say(second, 'e1');
    const { active } = await sendHeartbeat(agent, { worker: 'w', capacity: 0 });
    const newest = Object.fromEntries(
      active.map(({ issueId, newComments }) => [issueId, texts(newComments)]),
    );
    expect(newest).toEqual({ [first.id]: ['d4'], [second.id]: ['e1'] });
    const { token } = begun.work!.find(({ issueId }) => issueId === first.id)!;
    const turn = await takeTurn(agent, { issueId: first.id, token });
    expect(texts(turn.newComments)).toEqual(['d3', 'd4']);
  });
});

describe('what an agent writes per hour', () => {
  const comments = (on: Issue) => `/api/projects/issues/${on.id}/comments`;

  it('a comment beyond the number is 429 and stores nothing, until the hour is over', async () => {
    const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
    const written = [];
    for (let n = 0; n < LIMITS.COMMENTS_PER_AGENT_HOUR; n += 1) written.push(await aComment(agent, place));
    const refusal = await agent.post(comments(place), { content: 'one more' });
    expect(refusal).toMatchObject(overQuota);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    expect(await agent.put(`/api/projects/comments/${written[0]!.id}`, { content: 'x' })).toMatchObject(
      overQuota,
    );
    await agent.delete(`/api/projects/comments/${written[0]!.id}`);
    expect(await agent.post(comments(place), { content: 'one more' })).toMatchObject(overQuota);
    expect((await agent.get<unknown[]>(comments(place))).body).toHaveLength(2);
    await aComment(await asAgent(service), place);
    await aComment(editor, place);
    await service.sql(`UPDATE agent_quotas SET since = now() - interval '61 minutes' WHERE agent_id = $1`, [
      agent.id,
    ]);
    await aComment(agent, place);
  });

  it('comments that run at once are counted one by one', async () => {
    const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => agent.post(comments(place), { content: `at once ${n}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429]);
  });

  it('comments beyond the bytes are 429, and a smaller one is stored', async () => {
    const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
    await aComment(agent, place, full);
    expect(await agent.post(comments(place), { content: full })).toMatchObject(overQuota);
    await aComment(agent, place, 'small');
  });

  it('a comment over MCP beyond the number is a tool error that says so', async () => {
    const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
    for (let n = 0; n < LIMITS.COMMENTS_PER_AGENT_HOUR; n += 1) await aComment(agent, place);
    const { message } = await modern(agent, 'tools/call', {
      name: 'platform__add_comment',
      arguments: { issueId: place.id, content: 'more' },
    });
    expect(message).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(message)).toContain('per hour');
  });

  it.each(['comment', 'file'])(
    'the repetition of a %s gets its first answer after the quota was used up, and a refusal is decided again',
    async (kind) => {
      const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
      const write = (key: string, text: string) => {
        const headers = { 'idempotency-key': `${agent.id} ${key}`.replace(' ', '-') };
        if (kind === 'comment') return agent.post(comments(place), { content: text }, { headers });
        const { rawBody, headers: own } = form(file(text));
        return send(agent, place, { rawBody, headers: { ...own, ...headers } });
      };
      const first = await write('first', 'first');
      expect(first.status).toBe(201);
      for (const key of kind === 'comment' ? ['2', '3'] : ['2'])
        expect((await write(key, key)).status).toBe(201);
      expect(await write('beyond', 'x')).toMatchObject(overQuota);
      const again = await write('first', 'first');
      expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([
        201,
        first.body,
        'true',
      ]);
      await service.sql(`UPDATE agent_quotas SET since = now() - interval '61 minutes' WHERE agent_id = $1`, [
        agent.id,
      ]);
      expect((await write('beyond', 'x')).status).toBe(201);
    },
  );

  it('a file beyond the number or the bytes is 429 and leaves nothing', async () => {
    const [agent, other, place] = [
      await asAgent(service),
      await asAgent(service),
      await anIssue(editor, project),
    ];
    const upload = (caller: Caller, bytes: number) => send(caller, place, form(file('a'.repeat(bytes))));
    expect((await upload(agent, 10)).status).toBe(201);
    expect((await upload(agent, 10)).status).toBe(201);
    expect(await upload(agent, 10)).toMatchObject(overQuota);
    expect((await upload(other, 40 * KIB)).status).toBe(201);
    expect(await upload(other, 20 * KIB)).toMatchObject(overQuota);
    expect((await upload(editor, 60 * KIB)).status).toBe(201);
    expect((await editor.get<unknown[]>(`/api/projects/issues/${place.id}/attachments`)).body).toHaveLength(
      4,
    );
  });

  it('files that an agent has not sent to their end are bounded in bytes, and leave nothing', async () => {
    const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
    const upload = () => send(agent, place, form(file('a'.repeat(30 * KIB))));
    const head = [
      `POST /api/projects/issues/${place.id}/attachments HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${agent.key}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${100 * KIB}`,
    ].join('\r\n');
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const uploads = `/api/projects/issues/${place.id}/attachments`;
    const cut = await until(async () => {
      const started = raw(service, `${head}\r\n\r\n${part}${'a'.repeat(40 * KIB)}`);
      const answer = await upload();
      if (answer.status === 429 && answer.text.includes('Your open uploads hold')) return started;
      // The whole file arrived first and was stored. The open one must not count among the open requests.
      started.destroy();
      await service.sql('DELETE FROM agent_quotas WHERE agent_id = $1', [agent.id]);
      return null;
    });
    expect((await send(editor, place, form(file('a'.repeat(30 * KIB))))).status).toBe(201);
    const before = (await editor.get<unknown[]>(uploads)).body.length;
    cut.destroy();
    await until(async () => (await upload()).status === 201);
    expect((await editor.get<unknown[]>(uploads)).body).toHaveLength(before + 1);
  });

  it('a file that replaces another counts by its growth, at least 16 KiB, and not in number', async () => {
    const [agent, place] = [await asAgent(service), await anIssue(editor, project)];
    const upload = (bytes: number, query = '') =>
      agent.request<{ id: string }>(
        'POST',
        `/api/projects/issues/${place.id}/attachments${query}`,
        form(file('a'.repeat(bytes))),
      );
    const [first, second] = [await upload(KIB), await upload(KIB)];
    const renewed = await upload(17 * KIB, `?replaces=${first.body.id}`);
    const again = await upload(17 * KIB, `?replaces=${renewed.body.id}`);
    expect([second.status, renewed.status, again.status]).toEqual([201, 201, 201]);
    // What is gone is not replaced, so the file is a third one.
    expect(await upload(KIB, `?replaces=${first.body.id}`)).toMatchObject(overQuota);
    const last = await upload(KIB, `?replaces=${again.body.id}`);
    expect(last.status).toBe(201);
    expect(await upload(KIB, `?replaces=${last.body.id}`)).toMatchObject(overQuota);
    const { body } = await editor.get<{ id: string }[]>(`/api/projects/issues/${place.id}/attachments`);
    expect(body.map(({ id }) => id)).toEqual([second.body.id, last.body.id]);
  });
});

describe('what an agent reports of its usage per hour', () => {
  const reports = (count: number) =>
    Array.from({ length: count }, () => ({ reportId: randomUUID(), inputTokens: 1, outputTokens: 0 }));
  const counted = async (agent: Caller) =>
    (await agent.get<{ inputTokens: number }[]>('/api/usage')).body[0]?.inputTokens ?? 0;

  it('a report beyond the number is 429 and counts nothing, until the hour is over', async () => {
    const agent = await asAgent(service);
    const beat = (usage: object[]) => agent.post('/api/agents/me/heartbeat', { capacity: 0, usage });
    const first = reports(2);
    expect((await beat(first)).status).toBe(200);
    const refusal = await beat(reports(2));
    expect(refusal).toMatchObject(overQuota);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await counted(agent)).toBe(2);
    const last = reports(1);
    expect((await beat(last)).status).toBe(200);
    // A repetition has been counted before, and is not refused.
    expect((await beat([...first, ...last])).status).toBe(200);
    expect(await beat([...first, ...reports(1)])).toMatchObject(overQuota);
    expect(await counted(agent)).toBe(3);
    await service.sql(`UPDATE agent_quotas SET since = now() - interval '61 minutes' WHERE agent_id = $1`, [
      agent.id,
    ]);
    expect((await beat(reports(3))).status).toBe(200);
    expect(await beat(reports(4))).toMatchObject(overQuota);
    expect(await counted(agent)).toBe(6);
  });

  it('turn and finish are refused too, and succeed without the reports', async () => {
    const agent = await asAgent(service);
    const work = await anIssue(editor, project, { assignedAgentId: agent.id });
    const { token } = await pickUp(agent, work);
    const turn = { issueId: work.id, token };
    expect(await agent.post('/api/agents/me/turns', { ...turn, usage: reports(4) })).toMatchObject(overQuota);
    await takeTurn(agent, { ...turn, usage: reports(3) });
    await takeTurn(agent, turn);
    const finish = { token, status: 'Resolved', comment: 'done' };
    const path = `/api/projects/issues/${work.id}/finish`;
    expect(await agent.post(path, { ...finish, usage: reports(1) })).toMatchObject(overQuota);
    expect((await agent.get(`/api/projects/issues/${work.id}`)).body['status']).toBe('InProgress');
    expect((await agent.post(path, finish)).status).toBe(200);
    expect(await counted(agent)).toBe(3);
  });

  it('reports that arrive at once are counted one by one', async () => {
    const agent = await asAgent(service);
    const usage = [1, 2, 3, 4].map(() => reports(1));
    const answers = await Promise.all(
      usage.map((each) => agent.post('/api/agents/me/heartbeat', { capacity: 0, usage: each })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429]);
    expect(await counted(agent)).toBe(3);
  });
});

describe('answers and connections of a process', () => {
  let other: Service;
  let server: Installed;
  beforeAll(async () => {
    other = await service.second({
      UNREAD_MAX_BYTES: String(1024 * KIB),
      ANSWER_MAX_BYTES: String(64 * 1024 * KIB),
      PAGE_MAX_BYTES: String(16 * 1024 * KIB),
      CONNECTIONS_MAX: '16',
      BODIES_MAX_BYTES: String(1024 * KIB),
      MCP_FRAME_MAX_BYTES: String(16 * 1024 * KIB),
    });
    server = await installed(service, 'large');
  });

  it('a caller that leaves answers unread gets no large ones, until they are read or cut', async () => {
    const place = await aProject(editor);
    await service.sql(
      `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name, description)
       SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Open', 'system', 'test', repeat('x', 65536)
       FROM generate_series(1, 250) AS n`,
      [place.id],
    );
    const path = `/api/projects/${place.id}/issues?limit=1000`;
    const [greedy, modest] = [(await asViewer(service)).at(other), (await asViewer(service)).at(other)];
    const unread = raw(
      other,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy.key}\r\n\r\n`,
    );
    const refusal = await until(async () => {
      const answer = await greedy.get(`/api/projects/${place.id}/issues?limit=2`);
      return answer.status === 429 ? answer : null;
    });
    expect(refusal.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('to read') });
    expect((await greedy.get('/api/auth/me')).status).toBe(200);
    expect((await modest.get(`/api/projects/${place.id}/issues?limit=2`)).status).toBe(200);
    unread.destroy();
    await until(async () => (await greedy.get(`/api/projects/${place.id}/issues?limit=2`)).status === 200);
  });

  it('an agent that leaves heartbeats unread gets no large one, until they are read or cut', async () => {
    const agent = await asAgent(service);
    const work = await anIssue(editor, project, { assignedAgentId: agent.id });
    const say = () =>
      service.sql(
        `INSERT INTO comments (id, issue_id, content, author_type, author_name)
         SELECT gen_random_uuid(), $1, repeat('x', 65536), 'System', 'test' FROM generate_series(1, 240)`,
        [work.id],
      );
    await say();
    await sendHeartbeat(agent, { worker: 'w' });
    await say();
    const there = agent.at(other);
    const body = JSON.stringify({ worker: 'w', capacity: 0 });
    const head = `POST /api/agents/me/heartbeat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent.key}`;
    const unread = raw(
      other,
      `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // A response that another request still reads would have this one refused.
    await once(unread, 'readable');
    const beat = () => there.post('/api/agents/me/heartbeat', { capacity: 0, leases: [] });
    const large = () => there.post('/api/agents/me/heartbeat', { worker: 'w', capacity: 0 });
    const refusal = await until(async () => {
      const answer = await large();
      return answer.status === 429 ? answer : null;
    });
    expect(refusal.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('to read') });
    expect((await beat()).status).toBe(200);
    unread.destroy();
    await until(async () => (await large()).status === 200);
  });

  it('an agent that leaves results unread gets no large one, and no list, until they are read or cut', async () => {
    const [agent, modest] = [(await asAgent(service)).at(other), (await asAgent(service)).at(other)];
    for (const each of [agent, modest]) await grant(service, server, each);
    const large = { name: `${server.slug}__large`, arguments: { bytes: 12_000_000 } };
    const unread = raw(other, mcpRequest(agent, large));
    const refusal = await until(async () => {
      const { message } = await modern(agent, 'resources/list');
      return 'error' in message ? message : null;
    });
    const leftUnread = { error: { code: -32_000, message: expect.stringContaining('to read') } };
    expect(refusal).toMatchObject(leftUnread);
    const medium = { ...large, arguments: { bytes: 500_000 } };
    expect((await modern(agent, 'tools/call', medium)).message).toMatchObject(leftUnread);
    const small = { ...large, arguments: { bytes: 5 } };
    expect((await modern(agent, 'tools/call', small)).message).toMatchObject({
      result: { content: [{ text: 'xxxxx' }] },
    });
    expect((await modern(modest, 'tools/call', medium)).message).toMatchObject({ result: {} });
    unread.destroy();
    await until(async () => 'result' in (await modern(agent, 'resources/list')).message);
    expect((await modern(agent, 'tools/call', medium)).message).toMatchObject({ result: {} });
  });

  it.each(['while they arrive', 'while their calls run'])(
    'bodies that one caller has open are bounded, %s',
    async (when) => {
      const [agent, modest] = [(await asAgent(service)).at(other), (await asAgent(service)).at(other)];
      for (const each of [agent, modest]) await grant(service, server, each);
      const filler = 'x'.repeat(700 * KIB);
      const waiting = mcpRequest(agent, { name: `${server.slug}__wait`, arguments: { filler } });
      const first = when === 'while they arrive' ? waiting.slice(0, -1) : waiting;
      let held: Socket | undefined;
      const large = { name: `${server.slug}__large`, arguments: { bytes: 5, filler } };
      // Of two that arrive together either may be the refused one.
      const refusal = await until(async () => {
        held?.destroy();
        held = raw(other, first, true);
        await until(() => held!.writableLength === 0);
        const answer = await modern(agent, 'tools/call', large);
        return answer.status === 429 ? answer : null;
      });
      expect(refusal.text).toContain('hold bodies of');
      expect(refusal.message).toMatchObject({ code: 'rate_limited' });
      const list = await modern(agent, 'tools/list', { filler });
      expect(list).toMatchObject({ status: 429, message: { code: 'rate_limited' } });
      expect((await agent.get('/api/auth/me')).status).toBe(200);
      expect((await modern(modest, 'tools/call', large)).message).toMatchObject({ result: {} });
      held!.destroy();
      await until(async () => (await modern(agent, 'tools/call', large)).status === 200);
    },
  );

  it('a request on a connection beyond the limit is 503, and those below it are served', async () => {
    const held = Array.from({ length: 20 }, () => raw(other, '', true));
    const answers = held.map((socket) => answerOn(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'));
    const texts = await Promise.all(answers);
    const refusals = texts.filter((text) => text.startsWith('HTTP/1.1 503'));
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals[0]).toContain('"code":"unavailable"');
    expect(refusals[0]).toMatch(/connection: close/i);
    expect(texts.filter((text) => text.startsWith('HTTP/1.1 200')).length).toBeGreaterThan(10);
    for (const socket of held) socket.destroy();
    await until(async () => (await service.owner.at(other).get('/api/auth/me')).status === 200);
  });
});

/** Opens the stream of notifications of a session. */
async function notices(agent: Caller, sessionId: string): Promise<{ hasEnded: () => boolean }> {
  const { body, statusCode } = await agent.open('GET', '/mcp', {
    headers: { accept: 'text/event-stream', 'mcp-session-id': sessionId },
  });
  expect(statusCode).toBe(200);
  let ended = false;
  body
    .on('error', () => undefined)
    .on('close', () => (ended = true))
    .resume();
  return { hasEnded: () => ended };
}

/** A tools/call of 2026-07-28 as it goes over the wire. */
function mcpRequest(agent: Caller, params: { name: string; arguments: object }): string {
  const { frame, headers } = modernRequest('tools/call', params);
  const body = JSON.stringify(frame);
  const all = {
    host: 'x',
    authorization: `Bearer ${agent.key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Returns what the service sends on a connection up to its first response; empty where it closes it. */
function answerOn(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (/\r\n\r\n[^]*\}/.test(text)) resolve(text);
    });
    socket.once('close', () => resolve(text));
    socket.write(request);
  });
}
