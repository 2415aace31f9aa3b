import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aComment, aGoal, aLink, anIssue, aProject, someName } from '../../../support/builders.js';
import { anonymous, asAgent, asSession } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { modern, post, session } from '../../gateway/wire-call.js';
import { LocalCatalog } from '../../mcp/local-catalog.js';
import { fileForm } from '../access/access-world.js';
import { requestsFrom, type Known } from './from-document.js';
import { killerRequests } from './killers.js';
import { oddFrames, type ListedTool } from './odd-frames.js';
import { ODD_TEXTS, oddTextRequests } from './odd-texts.js';
import { faultsOf, shapeFault } from './wire-request.js';

/** How many requests are generated from the document, besides the killers. */
const MADE_UP = process.env['TEST_SIZE'] === 'full' ? 49_000 : 150;
/** The seed of the generated requests; a failure reports the one that caused it. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);

const catalog = new LocalCatalog().stdio('local', ['misbehaving.mjs', 'polite']);
const service = useService({
  // The server never answers a call of a tool that it does not know.
  settings: { LOG_LEVEL: 'warn', CATALOG_DIRS: catalog.folder, TOOL_CALL_TIMEOUT_MS: '2000' },
  ownProcess: true,
});
let known: Known;
let pid = 0;

beforeAll(async () => {
  const agent = await asAgent(service);
  const ids: Known['ids'] = {
    agentId: ['me', agent.id],
    id: [],
    userId: [],
    keyId: [],
    toolName: ['echo'],
  };
  const add = (name: string, id: unknown) => (ids[name] ??= []).push(String(id));
  for (let at = 0; at < 6; at++) {
    const project = await aProject(service.owner);
    const [issue, other] = [await anIssue(service.owner, project), await anIssue(service.owner, project)];
    const multipart = fileForm();
    const file = await service.owner.post(`/api/projects/issues/${issue.id}/attachments`, undefined, {
      multipart,
    });
    const user = { email: `${someName('u').replace(' ', '')}@example.com`, name: 'x', role: 'Viewer' };
    add('projectId', project.id);
    add('issueId', issue.id);
    add('goalId', (await aGoal(service.owner, project)).id);
    add('commentId', (await aComment(service.owner, issue)).id);
    add('linkId', (await aLink(service.owner, issue, other)).id);
    add('attachmentId', file.body['id']);
    add('userId', (await service.owner.post('/api/users', user)).body['id']);
    add('keyId', issue.id);
    const gate = await service.owner.post(`/api/projects/issues/${issue.id}/gates`, { question: 'x?' });
    add('gateId', gate.body['id']);
    const webhook = await service.owner.post('/api/webhooks', { url: 'https://hooks.example.com/x' });
    add('webhookId', webhook.body['id']);
    const server = await service.owner.post('/api/mcp/installed', {
      catalogId: 'local',
      name: `local ${at}`,
    });
    add('id', server.body['id']);
  }
  ids['agentId']!.reverse();
  const { headers } = await asSession(service, 'Owner');
  known = { user: service.ownerKey, agent: agent.key!, session: headers, ids };
  pid = service.pid;
});

async function expectAlive(): Promise<void> {
  expect(service.pid).toBe(pid);
  expect((await anonymous(service).get('/readyz')).status).toBe(200);
  expect(service.log.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

describe('a malformed request', () => {
  it('of the list of killers gets an error in the usual form, and the service continues', async () => {
    const [project, issue] = [known.ids['projectId']![0]!, known.ids['issueId']![0]!];
    const requests = killerRequests(
      {
        read: [
          '/api/projects',
          `/api/projects/${project}/issues`,
          `/api/projects/issues/${issue}`,
          '/api/audit',
          '/api/auth/me',
        ],
        write: [
          ['POST', `/api/projects/${project}/issues`],
          ['PUT', `/api/projects/issues/${issue}`],
          ['POST', '/api/projects'],
          ['PUT', `/api/projects/${project}/members`],
          ['POST', '/api/mcp/installed'],
          ['POST', `/api/projects/issues/${issue}/attachments`],
          ['POST', '/api/auth/login'],
        ],
      },
      `Bearer ${service.ownerKey}`,
    );
    expect(requests.length).toBeGreaterThan(1_000);
    expect(await faultsOf(service, requests)).toEqual([]);
    await expectAlive();
  });

  it('generated from the OpenAPI document gets an error in the usual form, and the service continues', async () => {
    const { body } = await service.owner.unchecked().get('/api/openapi.json');
    const made = fc.sample(requestsFrom(body as never, known), { numRuns: MADE_UP, seed: SEED });
    const faults = await faultsOf(service, made);
    expect({ seed: SEED, faults: faults.slice(0, 20) }).toEqual({ seed: SEED, faults: [] });
    await expectAlive();
  }, 900_000);

  it('with lone surrogates, NUL, bidi or 4-byte text in any text of any route gets no 5xx', async () => {
    const { body } = await service.owner.unchecked().get('/api/openapi.json');
    const operations = oddTextRequests(body as never, known);
    expect(operations.length).toBeGreaterThan(130);
    const without = operations.filter(({ requests }) => requests.length === 0).map(({ route }) => route);
    expect(without).toEqual(['POST /api/auth/logout']);
    const faults = await faultsOf(
      service,
      operations.flatMap(({ requests }) => requests),
    );
    expect(faults.slice(0, 20)).toEqual([]);
    await expectAlive();
  }, 300_000);

  it('with such text in any text of a message to the MCP endpoint gets no internal error', async () => {
    const agent = await asAgent(service);
    const { request } = await session(agent);
    const { message } = await modern(agent, 'tools/list');
    const { tools } = message['result'] as unknown as { tools: ListedTool[] };
    expect(tools.length).toBeGreaterThan(8);
    for (const { method, params } of oddFrames(tools)) {
      const answers = [
        await request(method, params),
        await modern(agent, method, params, { 'mcp-name': 'x' }),
      ];
      for (const { status, text } of answers) {
        expect([method, params, status < 500]).toEqual([method, params, true]);
        expect(text).not.toMatch(/-32603|The service failed/);
      }
    }
    await expectAlive();
  }, 300_000);

  it('with numbers, keys or nesting that JSON allows and libraries do not gets no internal error', async () => {
    const agent = await asAgent(service);
    const { id } = await session(agent);
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const odd = [
      '{"x":1e999,"y":[-1e999]}',
      '{"__proto__":{"x":1},"constructor":1}',
      '{"toJSON":1,"toString":2,"then":3}',
      `{"x":${'['.repeat(900)}${']'.repeat(900)}}`,
      `{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
    ];
    for (const args of odd)
      for (const name of ['platform__my_issues', 'platform__create_issue', 'local__echo', 'none']) {
        const frame = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
        const { status, text } = await post(agent, frame, headers);
        expect([name, args.slice(0, 50), status]).toEqual([name, args.slice(0, 50), 200]);
        expect(text).not.toMatch(/-32603|The service failed/);
      }
    const project = known.ids['projectId']![0]!;
    for (const [at, body] of [`{"title":"x","goalId":1e999}`, `{"title":1e999}`].entries())
      expect(
        await faultsOf(service, [
          {
            method: 'POST',
            path: `/api/projects/${project}/issues`,
            headers: {
              'content-type': 'application/json',
              'idempotency-key': `odd-${at}`,
              authorization: `Bearer ${service.ownerKey}`,
            },
            body,
          },
        ]),
      ).toEqual([]);
    await expectAlive();
  });

  it.each(Object.entries(ODD_TEXTS).filter(([, text]) => /\p{Surrogate}|\0/u.test(text)))(
    'with %s for an e-mail address is a 400 on that field',
    async (_, email) => {
      for (const [path, fields] of [
        ['/api/auth/login', { password: 'x' }],
        ['/api/users', { name: 'x', role: 'Viewer' }],
      ] as const) {
        const answer = await service.owner.post<{ errors: object[] }>(path, { ...fields, email });
        expect(answer.status).toBe(400);
        expect(answer.body.errors).toEqual([{ path: 'email', message: expect.any(String) }]);
      }
    },
  );

  it.each([
    ['a line that is no request', 'nonsense\r\n\r\n'],
    ['an unknown verb', 'FOO /api/projects HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another protocol', 'GET /api/projects FTP/9\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /api/projects HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a header with a NUL', 'GET /api/projects HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['headers beyond 16 KiB', `GET /api/projects HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['an address beyond 16 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'two lengths',
      'POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    ],
    [
      'a length and chunks',
      'POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an invalid length', 'POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    [
      'invalid chunks',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n',
    ],
    ['no host', 'GET /api/projects HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'an unknown expectation',
      'GET /api/projects HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    ],
    [
      'an upgrade',
      'GET /api/projects HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
    ],
    [
      'the address of another host',
      'GET http://evil.example/api/projects HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['OPTIONS of everything', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path that climbs', 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('at the level of HTTP, %s, gets an error in the usual form', async (_, bytes) => {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.write(bytes, 'latin1');
    await once(socket, 'close');
    const [head, body] = [
      answer.slice(0, answer.indexOf('\r\n\r\n')),
      answer.slice(answer.indexOf('\r\n\r\n') + 4),
    ];
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(shapeFault(status, /content-type: (.*)/i.exec(head)?.[1] ?? '', body)).toBeNull();
    await expectAlive();
  });
});
