import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { toolStates } from '../mcp/servers.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';
import { session } from './wire-call.js';

const catalog = new LocalCatalog()
  .stdio('offering', ['all-features.mjs'])
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('endless', ['misbehaving.mjs', 'endless-list'])
  .stdio('tools-only', ['misbehaving.mjs', 'tools-only']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

describe.each(clientKinds)('prompts and resources, with %s', (kind) => {
  let server: Installed;
  let agent: Caller;
  beforeAll(async () => {
    agent = await asAgent(service);
    server = await installed(service, 'offering');
    // A second server without prompts and resources must not remove any.
    for (const granted of [server, await installed(service, 'polite')]) await grant(service, granted, agent);
  });

  it('include the prompts of all pages under names that clients accept', async () => {
    const prompts = await (await connect(agent, kind)).prompts();
    expect(prompts[0]).toMatchObject({
      name: `${server.slug}__greet`,
      title: 'Greeting',
      arguments: [{ name: 'who', required: true }],
    });
    expect(String(prompts[1]!.name)).toMatch(new RegExp(`^${server.slug}__an_odd_prompt__[0-9a-f]{8}$`));
  });

  it('include each prompt by its name, even when the name was replaced', async () => {
    const client = await connect(agent, kind);
    const textOf = (prompt: unknown) =>
      (prompt as { messages: { content: { text: string } }[] }).messages[0]!.content.text;
    expect(textOf(await client.prompt(`${server.slug}__greet`, { who: 'Ada' }))).toBe('greet Ada');
    const odd = (await client.prompts())[1]!;
    expect(textOf(await client.prompt(String(odd.name), {}))).toBe('an odd prompt! ');
  });

  it('gets a prompt whose embedded resource it can read', async () => {
    const client = await connect(agent, kind);
    const { messages } = await client.prompt(`${server.slug}__greet`, { who: 'Ada' });
    const { resource } = (messages as unknown as { content: { resource: { uri: string } } }[])[1]!.content;
    expect(resource.uri).toBe(`awp+${server.slug}:note://1`);
    expect((await client.read(resource.uri)).contents).toHaveLength(1);
  });

  it('are listed and read under addresses that name their server', async () => {
    const client = await connect(agent, kind);
    const uri = `awp+${server.slug}:note://1`;
    expect(await client.resources()).toEqual([expect.objectContaining({ uri, name: 'one' })]);
    expect(await client.templates()).toEqual([
      expect.objectContaining({ uriTemplate: `awp+${server.slug}:note://{id}` }),
    ]);
    expect((await client.read(uri)).contents).toEqual([
      { uri, mimeType: 'text/plain', text: 'content of note://1' },
    ]);
    const deeper = `awp+${server.slug}:note://a/b?c=d:e`;
    expect((await client.read(deeper)).contents).toEqual([
      expect.objectContaining({ uri: deeper, text: 'content of note://a/b?c=d:e' }),
    ]);
  });

  it('have completions for their arguments', async () => {
    const client = await connect(agent, kind);
    const argument = { name: 'who', value: 'A' };
    const ofPrompt = await client.complete({
      ref: { type: 'ref/prompt', name: `${server.slug}__greet` },
      argument,
    });
    expect(ofPrompt).toHaveProperty('completion.values', ['greet:A!']);
    const ofTemplate = await client.complete({
      ref: { type: 'ref/resource', uri: `awp+${server.slug}:note://{id}` },
      argument,
    });
    expect(ofTemplate).toHaveProperty('completion.values', ['note://{id}:A!']);
  });

  it('return -32602 when the server is not granted', async () => {
    const stranger = await connect(await asAgent(service), kind);
    expect([await stranger.prompts(), await stranger.resources(), await stranger.templates()]).toEqual([
      [],
      [],
      [],
    ]);
    const refused = { code: -32602 };
    await expect(stranger.prompt(`${server.slug}__greet`)).rejects.toMatchObject(refused);
    await expect(stranger.read(`awp+${server.slug}:note://1`)).rejects.toMatchObject(refused);
    await expect(stranger.read('note://1')).rejects.toMatchObject(refused);
    const ref = { type: 'ref/prompt', name: `${server.slug}__greet` };
    await expect(stranger.complete({ ref, argument: { name: 'who', value: '' } })).rejects.toMatchObject(
      refused,
    );
  });

  it('are not part of a grant that is narrowed to tools', async () => {
    const other = await asAgent(service);
    await grant(service, server, other);
    const client = await connect(other, kind);
    expect(await client.prompts()).toHaveLength(2);
    const [first] = Object.keys(await toolStates(service.owner, server));
    await grant(service, server, other, [first!]);
    expect([await client.prompts(), await client.resources(), await client.templates()]).toEqual([
      [],
      [],
      [],
    ]);
    const refused = { code: -32602 };
    await expect(client.prompt(`${server.slug}__greet`)).rejects.toMatchObject(refused);
    await expect(client.read(`awp+${server.slug}:note://1`)).rejects.toMatchObject(refused);
    const ref = { type: 'ref/prompt', name: `${server.slug}__greet` };
    await expect(client.complete({ ref, argument: { name: 'who', value: '' } })).rejects.toMatchObject(
      refused,
    );
  });

  it('are removed at once when the server is revoked', async () => {
    const other = await asAgent(service);
    await grant(service, server, other);
    const client = await connect(other, kind);
    expect(await client.prompts()).toHaveLength(2);
    await revoke(service, server, other);
    expect(await client.prompts()).toEqual([]);
    await expect(client.prompt(`${server.slug}__greet`)).rejects.toMatchObject({ code: -32602 });
  });

  it('are read again when the server reports a change', async () => {
    const changing = await installed(service, 'offering');
    await grant(service, changing, agent);
    const client = await connect(agent, kind);
    const ofIt = async () =>
      (await client.prompts()).filter(({ name }) => String(name).startsWith(`${changing.slug}__`));
    expect(await ofIt()).toHaveLength(2);
    const adding = (await client.toolNames()).find((name) =>
      name.startsWith(`${changing.slug}__another_prompt`),
    );
    await client.call(adding!);
    await until(async () => (await ofIt()).length === 3);
    await revoke(service, changing, agent);
  });
});

describe('a list without an end', () => {
  it('is cut at 1 MiB over all its pages', async () => {
    const agent = await asAgent(service);
    await grant(service, await installed(service, 'endless'), agent);
    const resources = await (await connect(agent, clientKinds[0])).resources();
    expect(resources).toHaveLength(10);
  });
});

describe('a notification of changed lists', () => {
  it('names the lists alone that the granted server has', async () => {
    const agent = await asAgent(service);
    const stream = await streamOf(agent);
    const tools = /notifications\/tools\/list_changed/g;
    const polite = await installed(service, 'polite');
    await grant(service, polite, agent);
    await until(() => count(stream.text, tools) === 1);
    const offering = await installed(service, 'offering');
    await grant(service, offering, agent);
    await until(() => count(stream.text, tools) === 2);
    await until(() => stream.text.includes('notifications/resources/list_changed'));
    expect(count(stream.text, /notifications\/prompts\/list_changed/g)).toBe(1);
    await revoke(service, polite, agent);
    await until(() => count(stream.text, tools) === 3);
    await revoke(service, offering, agent);
    await until(() => count(stream.text, /notifications\/resources\/list_changed/g) === 2);
    expect(count(stream.text, /notifications\/prompts\/list_changed/g)).toBe(2);
  });
});

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The stream of notifications of a new session; `text` is what has come so far. */
async function streamOf(agent: Caller): Promise<{ text: string }> {
  const { id } = await session(agent);
  const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
  const { body } = await agent.open('GET', '/mcp', { headers });
  const stream = { text: '' };
  body.setEncoding('utf8').on('data', (chunk: string) => (stream.text += chunk));
  body.on('error', () => undefined);
  return stream;
}

describe('a server that declares tools only', () => {
  it('is asked for nothing else, by agents or by the service after a grant', async () => {
    const server = await installed(service, 'tools-only');
    const agent = await asAgent(service);
    const client = await connect(agent, clientKinds[0]);
    await client.tools();
    await grant(service, server, agent);
    await until(() => client.changes > 0);
    expect([await client.prompts(), await client.resources(), await client.templates()]).toEqual([
      [],
      [],
      [],
    ]);
    const refused = { code: -32601 };
    await expect(client.prompt(`${server.slug}__any`)).rejects.toMatchObject(refused);
    await expect(client.read(`awp+${server.slug}:note://1`)).rejects.toMatchObject(refused);
    const { text } = await client.call(`${server.slug}__methods`);
    expect(JSON.parse(text)).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
  });
});
