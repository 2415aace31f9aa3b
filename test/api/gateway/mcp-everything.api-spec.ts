import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';

// Installs the reference server from the catalogue and the npm registry. In a normal run the demo covers it.
const inFull = process.env['TEST_SIZE'] === 'full' ? describe : describe.skip;
const service = useService();
afterEach(closeClients);

inFull.each(clientKinds)('the reference server, with %s', (kind) => {
  let server: Installed;
  let agent: Caller;
  beforeAll(async () => {
    server = await installed(service, 'everything');
    agent = await asAgent(service);
    await grant(service, server, agent);
  }, 240_000);

  it('can be called, reports its progress, and returns its prompts and resources', async () => {
    const client = await connect(agent, kind);
    const name = (tool: string) => `${server.slug}__${tool}`;
    expect(await client.toolNames()).toEqual(
      expect.arrayContaining([name('echo'), name('get-sum'), name('get-env')]),
    );
    expect((await client.call(name('get-sum'), { a: 2, b: 3 })).text).toContain('5');
    const progressValues: number[] = [];
    const operation = { duration: 1, steps: 4 };
    await client.call(name('trigger-long-running-operation'), operation, {
      onprogress: ({ progress }) => progressValues.push(progress),
    });
    expect(progressValues).toEqual([1, 2, 3, 4]);
    const [prompt] = await client.prompts();
    expect(String(prompt!.name).startsWith(name(''))).toBe(true);
    const [resource] = await client.resources();
    expect((await client.read(String(resource!.uri))).contents).toHaveLength(1);
    expect((await client.templates()).length).toBeGreaterThan(0);
  });

  it('cannot see the environment of the service', async () => {
    const { text } = await (await connect(agent, kind)).call(`${server.slug}__get-env`);
    const names = Object.keys(JSON.parse(text) as object);
    expect(names.filter((variable) => /BOOTSTRAP|DATABASE|ENCRYPTION|DATA_DIR/.test(variable))).toEqual([]);
  });
});
