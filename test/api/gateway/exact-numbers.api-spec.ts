import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { linesFor, ODD } from '../../support/mcp-servers/raw-numbers.mjs';
import { listen, type Remote } from '../../support/mcp-servers/remote.js';
import { startService, type Service } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { answer } from '../work/gates/gate-requests.js';
import { executedGate, openGate, setAsk } from './approval-setting.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modernRequest, post, session, type WireAnswer } from './wire-call.js';

const KINDS = ['stdio', 'stdio of 2026-07-28', 'http as JSON', 'http as an event stream'] as const;
const ERAS = ['session', 'stateless'] as const;
const EACH = KINDS.flatMap((kind) => ERAS.map((era) => [kind, era] as const));

const catalog = new LocalCatalog()
  .stdio('stdio', ['raw-numbers.mjs'])
  .stdio('modern', ['raw-numbers.mjs', 'modern']);
let service: Service;
const remotes: Remote[] = [];
const servers = new Map<string, Installed>();

beforeAll(async () => {
  for (const isStream of [false, true])
    remotes.push(await listen((...exchange) => respond(isStream, ...exchange)));
  catalog.http('json', remotes[0]!.url).http('stream', remotes[1]!.url);
  const hosts = remotes.map(({ host }) => host).join(',');
  service = await startService({
    settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: hosts, APPROVAL_WAIT_SECONDS: '1' },
  });
  for (const [at, id] of ['stdio', 'modern', 'json', 'stream'].entries())
    servers.set(KINDS[at]!, await installed(service, id));
});
afterAll(async () => {
  await service?.remove();
  await Promise.all(remotes.map((remote) => remote.close()));
  catalog.remove();
});

/** Answers as a server of 2025-11-25 over HTTP. */
async function respond(isStream: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const lines = await linesFor(Buffer.concat(chunks).toString());
  if (lines.length === 0) return void response.writeHead(202).end();
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  // Written in pieces, as they come over a network.
  const text = isStream
    ? lines.map((line) => `event: message\nid: 1234567890123456789\ndata: ${line}\n\n`).join('')
    : lines.at(-1)!;
  for (let at = 0; at < text.length; at += 50) response.write(text.slice(at, at + 50));
  response.end();
}

/** Sends a request with parameters that are given as JSON. */
async function sent(
  agent: Caller,
  era: (typeof ERAS)[number],
  method: string,
  params: string,
): Promise<WireAnswer> {
  const parsed = JSON.parse(params) as Record<string, unknown>;
  if (era === 'stateless') {
    const { frame, headers } = modernRequest(method, parsed);
    const meta = JSON.stringify(frame.params._meta).slice(1, -1);
    const given = params.includes('"_meta":{')
      ? params.replace('"_meta":{', `"_meta":{${meta},`)
      : `{"_meta":{${meta}}${params === '{}' ? '' : ','}${params.slice(1)}`;
    return post(agent, `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${given}}`, headers);
  }
  const { id } = await session(agent);
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  return post(agent, `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`, headers);
}

async function aUser(kind: string): Promise<{ agent: Caller; server: Installed }> {
  const server = servers.get(kind)!;
  const agent = await asAgent(service);
  await grant(service, server, agent);
  return { agent, server };
}

const callOf = (server: Installed, tool: string, args = ODD, meta = '{"progressToken":"t"}') =>
  `{"name":"${server.slug}__${tool}","arguments":${args},"_meta":${meta}}`;
const received = ({ message }: WireAnswer) =>
  (message.result as unknown as { content: { text: string }[] }).content[0]!.text;

describe.each(EACH)(
  'numbers that JavaScript cannot hold, at a server on %s and with a client of %s',
  (kind, era) => {
    it('keep their digits in arguments, _meta, results, and progress', async () => {
      const { agent, server } = await aUser(kind);
      const response = await sent(
        agent,
        era,
        'tools/call',
        callOf(server, 'get', ODD, `{"progressToken":"t","own":${ODD}}`),
      );
      expect(received(response)).toContain(`"arguments":${ODD}`);
      expect(received(response)).toContain(`"own":${ODD}`);
      expect(response.text).toContain(`"structuredContent":${ODD}`);
      expect(response.text).toContain(`"_meta":${era === 'session' ? ODD : ODD.slice(0, -1)}`);
      if (kind !== 'http as JSON')
        expect(response.text).toContain('"progress":9007199254740993,"total":1e400');
    });

    it('keep their digits in definitions, prompts, resources and errors', async () => {
      const { agent, server } = await aUser(kind);
      const list = await sent(agent, era, 'tools/list', '{}');
      expect(list.text).toContain('"maximum":9223372036854775807');
      expect(list.text).toContain('"default":9007199254740993');
      const prompt = `{"name":"${server.slug}__p"}`;
      const resource = `{"uri":"awp+${server.slug}:raw:///a"}`;
      expect((await sent(agent, era, 'prompts/list', '{}')).text).toContain(`"_meta":${ODD}`);
      expect((await sent(agent, era, 'prompts/get', prompt)).text).toContain(ODD.slice(0, -1));
      expect((await sent(agent, era, 'resources/list', '{}')).text).toContain('"size":9007199254740993');
      expect((await sent(agent, era, 'resources/read', resource)).text).toContain(ODD);
      expect((await sent(agent, era, 'tools/call', callOf(server, 'fail'))).text).toContain(`"data":${ODD}`);
    });
  },
);

describe('numbers that JavaScript cannot hold', () => {
  it('are shown, approved, sent and stored with their digits', async () => {
    const { agent, server } = await aUser('stdio');
    await setAsk(service, server, agent);
    const response = await sent(agent, 'stateless', 'tools/call', callOf(server, 'get'));
    expect(response.text).toContain('approval_pending');
    const gate = await openGate(service, agent);
    const path = `/api/projects/gates/${gate.id}`;
    const shown = await service.owner.get<{ request: { argumentsText: string } }>(path);
    expect(shown.text).toContain(`"arguments":${ODD}`);
    expect(shown.body.request.argumentsText.replaceAll(/\s/g, '')).toBe(ODD);
    await answer(service.owner, gate, { decision: 'approve' });
    await executedGate(service, gate);
    const result = await sent(
      agent,
      'session',
      'tools/call',
      `{"name":"platform__gate_result","arguments":{"gateId":"${gate.id}"}}`,
    );
    expect(result.text).toContain(`"structuredContent":${ODD}`);
    expect(result.text).toContain(`\\"arguments\\":${JSON.stringify(ODD).slice(1, -1)}`);
  });

  it('make two calls that differ in a digit two calls to approve', async () => {
    const { agent, server } = await aUser('stdio');
    await setAsk(service, server, agent);
    for (const digits of ['9007199254740992', '9007199254740993'])
      await sent(agent, 'stateless', 'tools/call', callOf(server, 'get', `{"id":${digits}}`));
    const { body } = await service.owner.get<{ request: { argumentsHash: string } }[]>(
      `/api/projects/gates?state=open&agentId=${agent.id}`,
    );
    expect(new Set(body.map(({ request }) => request.argumentsHash)).size).toBe(2);
  });

  it.each(ERAS)(
    'are -32602 as the arguments of a call before a person is asked, for a client of %s',
    async (era) => {
      const { agent, server } = await aUser('stdio');
      await setAsk(service, server, agent);
      for (const digits of ['1234567890123456789', '1e400', '-0'])
        for (const tool of [`${server.slug}__get`, 'platform__my_issues']) {
          const params = `{"name":"${tool}","arguments":${digits}}`;
          const { message } = await sent(agent, era, 'tools/call', params);
          expect(message.error).toMatchObject({
            code: -32602,
            message: expect.stringContaining('arguments'),
          });
        }
      expect((await service.owner.get(`/api/projects/gates?agentId=${agent.id}`)).body).toEqual([]);
    },
  );

  it('keep their digits when an Admin tries out a tool', async () => {
    for (const kind of KINDS) {
      const response = await service.owner.open(
        'POST',
        `/api/mcp/installed/${servers.get(kind)!.id}/tools/get/call`,
        {
          rawBody: `{"arguments":${ODD}}`,
          headers: { 'content-type': 'application/json' },
        },
      );
      const text = await response.body.text();
      expect(text).toContain(`"structuredContent":${ODD}`);
      expect(text).toContain(`\\"arguments\\":${JSON.stringify(ODD).slice(1, -1)}`);
    }
  });

  it('keep their digits in what a server asks its client, and in the answer', async () => {
    const { agent, server } = await aUser('stdio');
    const { id } = await session(agent, {}, { elicitation: {} });
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const call = await agent.open('POST', '/mcp', {
      rawBody: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${callOf(server, 'ask', '{}', '{}')}}`,
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
    });
    let text = '';
    for await (const chunk of call.body) {
      text += String(chunk);
      const [, question] = /"id":"(question-[^"]+)"/.exec(text) ?? [];
      if (!text.includes('"result"') && question !== undefined)
        await post(
          agent,
          `{"jsonrpc":"2.0","id":"${question}","result":{"action":"accept","content":{"id":1234567890123456789}}}`,
          headers,
        );
    }
    expect(text).toContain('"maximum":9223372036854775807,"default":9007199254740993');
    expect(text).toContain('\\"content\\":{\\"id\\":1234567890123456789}');
  });

  it('name a request, and its progress, as its client does', async () => {
    const { agent, server } = await aUser('stdio');
    const { id } = await session(agent);
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const params = callOf(server, 'get', '{}', '{"progressToken":1234567890123456789}');
    const call = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":${params}}`;
    const { text } = await post(agent, call, headers);
    expect(text).toContain('"id":9007199254740993');
    expect(text).toContain('"progressToken":1234567890123456789');
    const list = await post(agent, '{"jsonrpc":"2.0","id":9007199254740995,"method":"tools/list"}', headers);
    expect(list.text).toContain('"id":9007199254740995');
  });
});
