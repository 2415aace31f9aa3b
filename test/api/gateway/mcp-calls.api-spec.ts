import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { canary } from '../../support/canary.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern, session } from './wire-call.js';

const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('offering', ['all-features.mjs'])
  .stdio('secrets', ['misbehaving.mjs', 'echoes-secrets'], {
    variables: [{ name: 'SECRET', isRequired: true, isSecret: true }],
  });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, TOOL_CALL_TIMEOUT_MS: '3000' } });
afterAll(() => catalog.remove());
afterEach(closeClients);

interface Linked {
  uri: string;
}
interface Embedded {
  resource: Linked;
}

describe.each(clientKinds)('an agent with %s', (kind) => {
  let polite: Installed;
  let offering: Installed;
  let agent: Caller;
  beforeAll(async () => {
    agent = await asAgent(service);
    polite = await installed(service, 'polite');
    offering = await installed(service, 'offering');
    for (const server of [polite, offering]) await grant(service, server, agent);
  });

  it('receives instructions that name each of its servers in one line, in at most 2,000 characters', async () => {
    const { instructions } = await connect(agent, kind);
    expect(instructions.length).toBeLessThanOrEqual(2_000);
    expect(instructions).toContain('platform__next_issue');
    expect(instructions).toMatch(new RegExp(`^${polite.slug}__ .*The polite server`, 'm'));
  });

  it('lists the tools of its granted servers after those of the platform, in the order of the server', async () => {
    const client = await connect(agent, kind);
    expect(client.era).toBe(kind.startsWith('sdk') ? 'legacy' : 'modern');
    const names = await client.toolNames();
    expect(names.slice(0, 8).every((name) => name.startsWith('platform__'))).toBe(true);
    expect(names.filter((name) => name.startsWith(`${polite.slug}__`))).toEqual(
      ['echo', 'pid', 'environment', 'count', 'wait'].map((name) => `${polite.slug}__${name}`),
    );
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,48}$/.test(name))).toBe(true);
    expect(await client.toolNames()).toEqual(names);
  });

  it('gets title, description, schemas and annotations of a tool unchanged from the server', async () => {
    const tools = await (await connect(agent, kind)).tools();
    expect(tools.find(({ name }) => String(name) === `${offering.slug}__rich`)).toEqual({
      name: `${offering.slug}__rich`,
      description: 'does rich',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { rows: { type: 'array' } } },
      annotations: { readOnlyHint: true },
    });
  });

  it('calls a tool with any arguments, which reach it unchanged', async () => {
    const client = await connect(agent, kind, '/api/agents/me/mcp');
    const given = { deep: { list: [1, null, 'ü', { _meta: { x: 1 } }] }, 'odd key': '' };
    const { text, isError } = await client.call(`${polite.slug}__echo`, given);
    expect(isError).toBeUndefined();
    expect(JSON.parse(text)).toEqual(given);
  });

  it('gets every kind of content, and structured content', async () => {
    const { raw } = await (await connect(agent, kind)).call(`${offering.slug}__rich`);
    expect((raw.content as unknown as { type: string }[]).map(({ type }) => type)).toEqual([
      'text',
      'image',
      'resource_link',
      'resource',
    ]);
    expect(raw.structuredContent).toEqual({ rows: [{ n: 1 }], 'odd key': null });
  });

  it('reads the resources that a result links or embeds by the URIs of the result', async () => {
    const client = await connect(agent, kind);
    const { raw } = await client.call(`${offering.slug}__rich`);
    const [, , link, embedded] = raw.content as unknown as [unknown, unknown, Linked, Embedded];
    expect(link).toEqual({ type: 'resource_link', uri: `awp+${offering.slug}:note://1`, name: 'one' });
    expect(embedded.resource).toEqual({ uri: link.uri, text: 'first' });
    expect((await client.read(link.uri)).contents).toEqual([expect.objectContaining({ uri: link.uri })]);
  });

  it('calls a tool by the name that replaces one that clients do not accept', async () => {
    const client = await connect(agent, kind);
    const odd = (await client.toolNames()).find((name) => name.startsWith(`${offering.slug}__odd_name`));
    expect(odd).toMatch(/_[0-9a-f]{8}$/);
    expect((await client.call(odd!)).text).toBe('odd');
  });

  it('receives all progress before the result', async () => {
    const progressValues: number[] = [];
    const client = await connect(agent, kind);
    const { text } = await client.call(
      `${offering.slug}__work`,
      {},
      { onprogress: ({ progress }) => progressValues.push(progress) },
    );
    expect(text).toBe('done');
    expect(progressValues).toEqual([1, 2, 3]);
  });

  it('cancels a call, and the server is notified', async () => {
    const client = await connect(agent, kind);
    const heard = async (): Promise<string> => (await client.call(`${offering.slug}__heard`)).text;
    const before = await heard();
    const cancel = new AbortController();
    // Progress shows that the server has received the call.
    const onprogress = () => cancel.abort('changed my mind');
    const call = client.call(`${offering.slug}__hang`, {}, { signal: cancel.signal, onprogress });
    await expect(call).rejects.toThrow();
    await until(async () => (await heard()).length > before.length);
  });

  it("gets a tool's own error as a result, and the server's JSON-RPC error unchanged", async () => {
    const client = await connect(agent, kind);
    expect(await client.call(`${offering.slug}__fails`)).toMatchObject({
      isError: true,
      text: 'the disk is full',
    });
    await expect(client.call(`${offering.slug}__breaks`)).rejects.toMatchObject({
      code: -32042,
      data: { table: 'x' },
    });
  });

  it('gets a sentence when a server does not respond in time', async () => {
    const { isError, text } = await (await connect(agent, kind)).call(`${offering.slug}__hang`);
    expect(isError).toBe(true);
    expect(text).toMatch(/did not answer within 3 s/);
  });

  it.each(['unknown__echo', 'echo', '', 'platform__no_such_tool', '__', 'polite__', '../x__y'])(
    'gets -32602 for %p, which is not one of its tools',
    async (name) => {
      await expect((await connect(agent, kind)).call(name)).rejects.toMatchObject({ code: -32602 });
    },
  );

  it('cannot list or call a tool of a server that it was not granted', async () => {
    const stranger = await connect(await asAgent(service), kind);
    expect((await stranger.toolNames()).every((name) => name.startsWith('platform__'))).toBe(true);
    await expect(stranger.call(`${polite.slug}__echo`)).rejects.toMatchObject({ code: -32602 });
  });

  it("never receives a server's secret, in whatever form the server sends it", async () => {
    const secret = canary(`${Math.random().toString(36).slice(2)}/+&`);
    const server = await installed(service, 'secrets', { envValues: { SECRET: secret } });
    await grant(service, server, agent);
    const client = await connect(agent, kind);
    const { raw } = await client.call(`${server.slug}__result`);
    const error = await client
      .call(`${server.slug}__error`)
      .catch((fault: Error) => JSON.stringify({ ...fault, message: fault.message }));
    const messages: unknown[] = [];
    await client.call(`${server.slug}__progress`, {}, { onprogress: (progress) => messages.push(progress) });
    const seen = JSON.stringify([raw, error, messages]);
    const encoded = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, -4),
    ];
    for (const form of encoded) expect(seen).not.toContain(form);
    expect(messages).toHaveLength(1);
  });
});

describe('on the wire', () => {
  let agent: Caller;
  let server: Installed;
  beforeAll(async () => {
    agent = await asAgent(service);
    server = await installed(service, 'offering');
    await grant(service, server, agent);
  });
  const eras = {
    '2025-11-25': async (method: string, params: Record<string, unknown>) =>
      (await session(agent)).request(method, params),
    '2026-07-28': (method: string, params: Record<string, unknown>) => modern(agent, method, params),
  };

  describe.each(Object.entries(eras))('of %s', (_, request) => {
    it('a result is passed on unchanged, with fields that no schema contains', async () => {
      const { message } = await request('tools/call', { name: `${server.slug}__rich`, arguments: {} });
      const { content, structuredContent, own } = message.result as unknown as {
        content: object[];
        structuredContent: object;
        own: string;
      };
      expect(content[0]).toEqual({
        type: 'text',
        text: 'a',
        annotations: { priority: 0.5, custom: [1] },
        unknown: { kept: true },
      });
      expect(structuredContent).toEqual({ rows: [{ n: 1 }], 'odd key': null });
      expect(own).toBe('field');
    });

    it('_meta is passed on in both directions, without the fields that belong to one connection', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const meta = { traceparent, 'io.modelcontextprotocol/x': 1, progressToken: 'mine' };
      const { message } = await request('tools/call', {
        name: `${server.slug}__meta`,
        arguments: {},
        _meta: meta,
      });
      const result = message.result as unknown as {
        content: { text: string }[];
        _meta: Record<string, unknown>;
      };
      const arrived = JSON.parse(result.content[0]!.text) as Record<string, unknown>;
      expect(arrived).toEqual({ traceparent, progressToken: expect.anything() });
      expect(arrived['progressToken']).not.toBe('mine');
      expect(result._meta['kept']).toBe('yes');
      expect(result._meta['io.modelcontextprotocol/serverInfo']).not.toEqual({ name: 'x' });
    });

    it('lists are marked as private to the agent', async () => {
      const { text } = await request('tools/list', {});
      expect(text).not.toContain('public');
    });
  });
});
