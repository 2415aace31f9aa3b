import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';

const catalog = new LocalCatalog()
  .stdio('offering', ['offering.mjs'])
  .stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

describe.each(clientKinds)('prompts and resources, with %s', (kind) => {
  let server: Installed;
  let agent: Caller;
  beforeAll(async () => {
    agent = await asAgent(service);
    server = await installed(service, 'offering');
    // One without prompts and resources beside it takes nothing away.
    for (const granted of [server, await installed(service, 'polite')]) await grant(service, granted, agent);
  });

  it('lists the prompts of all pages under names that clients take', async () => {
    const prompts = await (await connect(agent, kind)).prompts();
    expect(prompts[0]).toMatchObject({
      name: `${server.slug}__greet`,
      title: 'Greeting',
      arguments: [{ name: 'who', required: true }],
    });
    expect(String(prompts[1]!.name)).toMatch(new RegExp(`^${server.slug}__an_odd_prompt__[0-9a-f]{8}$`));
  });

  it('gets a prompt by its name, whatever became of the name', async () => {
    const client = await connect(agent, kind);
    const textOf = (prompt: unknown) =>
      (prompt as { messages: { content: { text: string } }[] }).messages[0]!.content.text;
    expect(textOf(await client.prompt(`${server.slug}__greet`, { who: 'Ada' }))).toBe('greet Ada');
    const odd = (await client.prompts())[1]!;
    expect(textOf(await client.prompt(String(odd.name), {}))).toBe('an odd prompt! ');
  });

  it('lists and reads resources and templates under addresses that name their server', async () => {
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

  it('completes arguments of prompts and templates', async () => {
    const client = await connect(agent, kind);
    const argument = { name: 'who', value: 'A' };
    const ofPrompt = await client.complete({
      ref: { type: 'ref/prompt', name: `${server.slug}__greet` },
      argument,
    });
    expect(ofPrompt.completion.values).toEqual(['greet:A!']);
    const ofTemplate = await client.complete({
      ref: { type: 'ref/resource', uri: `awp+${server.slug}:note://{id}` },
      argument,
    });
    expect(ofTemplate.completion.values).toEqual(['note://{id}:A!']);
  });

  it('are refused with -32602 where the server is not granted', async () => {
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

  it('are gone at once when the server is revoked', async () => {
    const other = await asAgent(service);
    await grant(service, server, other);
    const client = await connect(other, kind);
    expect(await client.prompts()).toHaveLength(2);
    await revoke(service, server, other);
    expect(await client.prompts()).toEqual([]);
    await expect(client.prompt(`${server.slug}__greet`)).rejects.toMatchObject({ code: -32602 });
  });

  it('are listed anew when the server says that they have changed', async () => {
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
