import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed } from './mcp-setting.js';

const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('mortal', ['misbehaving.mjs', 'exit-in-call'])
  .stdio('counter', ['misbehaving.mjs', 'polite'], { manifest: { sharing: 'agent' } });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

const inFull = process.env['TEST_SIZE'] === 'full';
const SECONDS = 400;

describe.each(clientKinds)('many servers and agents, with %s', (kind) => {
  it('return an error to the caller of a server that dies, and list all other servers', async () => {
    const agent = await asAgent(service);
    const mortal = await installed(service, 'mortal');
    const others = [];
    for (let n = 0; n < 9; n += 1) others.push(await installed(service, 'polite'));
    for (const server of [mortal, ...others]) await grant(service, server, agent);
    const client = await connect(agent, kind);
    const before = await client.toolNames();
    const dying = client.call(`${mortal.slug}__die`);
    const answers = await Promise.all(others.map(({ slug }) => client.call(`${slug}__echo`, { slug })));
    expect(await dying).toMatchObject({ isError: true, text: expect.stringMatching(/died|ended/) });
    expect(answers.map(({ text }) => JSON.parse(text).slug)).toEqual(others.map(({ slug }) => slug));
    expect(await client.toolNames()).toEqual(before);
    // The next call starts it again.
    await until(async () => (await client.call(`${mortal.slug}__echo`)).isError === undefined);
  });

  it('keep the state of one agent invisible to the others', async () => {
    const server = await installed(service, 'counter');
    const agents = await Promise.all(Array.from({ length: 6 }, () => asAgent(service)));
    for (const agent of agents) await grant(service, server, agent);
    const clients = await Promise.all(agents.map((agent) => connect(agent, kind)));
    const counts = await Promise.all(
      clients.map(async (client, at) => {
        const seen: number[] = [];
        for (let call = 0; call <= at; call += 1)
          seen.push(Number((await client.call(`${server.slug}__count`)).text));
        return seen;
      }),
    );
    expect(counts).toEqual(agents.map((_, at) => Array.from({ length: at + 1 }, (__, call) => call + 1)));
    const pids = await Promise.all(
      clients.map(async (client) => (await client.call(`${server.slug}__environment`)).text),
    );
    expect(new Set(pids.map((text) => JSON.parse(text).HOME)).size).toBe(agents.length);
  });

  (inFull ? it : it.skip)('two hundred agents at once never see each other’s state', async () => {
    const server = await installed(service, 'counter');
    const agents = await Promise.all(Array.from({ length: 200 }, () => asAgent(service)));
    for (const agent of agents) await grant(service, server, agent);
    const clients = await Promise.all(agents.map((agent) => connect(agent, kind)));
    const seen = await Promise.all(
      clients.map(async (client) => {
        const counts: number[] = [];
        await until(async () => {
          const { isError, text } = await client.call(`${server.slug}__count`);
          // All process slots are taken, or its process was just ended: the error says when to try again.
          if (!isError) counts.push(Number(text));
          return counts.length === 3;
        }, SECONDS);
        return counts;
      }),
    );
    // A process that was ended for another agent's counts from one again. No count belongs to another agent.
    for (const counts of seen)
      expect(counts.every((count, at) => count === 1 || count === (counts[at - 1] ?? 0) + 1)).toBe(true);
    expect(seen.flat()).toHaveLength(600);
  });

  it('return its own result to each of many concurrent calls', async () => {
    const agents = await Promise.all(Array.from({ length: 5 }, () => asAgent(service)));
    const server = await installed(service, 'polite');
    for (const agent of agents) await grant(service, server, agent);
    const clients = await Promise.all(agents.map((agent) => connect(agent, kind)));
    const calls = clients.flatMap((client, who) =>
      Array.from({ length: 20 }, (_, n) => ({ client, given: { who, n } })),
    );
    const answers = await Promise.all(
      calls.map(({ client, given }) => client.call(`${server.slug}__echo`, given)),
    );
    expect(answers.map(({ text }) => JSON.parse(text))).toEqual(calls.map(({ given }) => given));
  });
});
