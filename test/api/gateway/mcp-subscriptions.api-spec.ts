import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { ANSWERING, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect, connectSubscriber, type AgentClient } from './mcp-clients.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';
import { session } from './wire-call.js';

const catalog = new LocalCatalog().stdio('offering', ['all-features.mjs']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

describe('a session that subscribes to a resource', () => {
  let server: Installed;
  let address: string;
  let agent: Caller;
  let other: Caller;
  let writer: AgentClient;
  const write = () => writer.call(`${server.slug}__write`);
  beforeAll(async () => {
    server = await installed(service, 'offering');
    address = `awp+${server.slug}:note://1`;
    [agent, other] = [await asAgent(service), await asAgent(service)];
    for (const granted of [agent, other]) await grant(service, server, granted);
  });
  const bothConnected = async () => {
    writer = await connect(other, clientKinds[0]);
    return [await connectSubscriber(agent), await connectSubscriber(other)] as const;
  };

  it('alone is notified of its changes under the address that it subscribed to, until it unsubscribes', async () => {
    const [mine, theirs] = await bothConnected();
    await mine.subscribe(address);
    await write();
    await until(() => mine.updated.length > 0);
    expect(mine.updated).toEqual([address]);
    expect(theirs.updated).toEqual([]);
    await mine.unsubscribe(address);
    await theirs.subscribe(address);
    await write();
    await until(() => theirs.updated.length > 0);
    expect(mine.updated).toEqual([address]);
  });

  it('keeps its subscription when another session on the same process unsubscribes', async () => {
    const [mine, theirs] = await bothConnected();
    for (const one of [mine, theirs]) await one.subscribe(address);
    await theirs.unsubscribe(address);
    await write();
    await until(() => mine.updated.length > 0);
    expect(theirs.updated).toEqual([]);
  });

  it('gets no notification once the server is no longer granted', async () => {
    const [mine, theirs] = await bothConnected();
    for (const one of [mine, theirs]) await one.subscribe(address);
    await revoke(service, server, agent);
    await write();
    await until(() => theirs.updated.length > 0);
    expect(mine.updated).toEqual([]);
    await expect(mine.subscribe(address)).rejects.toMatchObject({ code: -32_602 });
    await grant(service, server, agent);
  });

  it('keeps as many addresses as it may, in number and in bytes, however many are requested at once', async () => {
    const subscribed = async (uris: string[]) => {
      const { request } = await session(agent);
      const subscribe = (uri: string) =>
        request('resources/subscribe', { uri: `awp+${server.slug}:note://${uri}` });
      let subscriptions = 0;
      for (let at = 0; at < uris.length; at += 50) {
        const answers = await Promise.all(uris.slice(at, at + 50).map(subscribe));
        subscriptions += answers.filter(({ message }) => 'result' in message).length;
      }
      return subscriptions;
    };
    // What several processes take at once may go beyond it, and fifty are requested at once.
    const beyond = (ANSWERING - 1) * 25;
    const many = await subscribed(Array.from({ length: 300 }, (_, n) => String(n)));
    expect([many >= 256, many <= 256 + beyond]).toEqual([true, true]);
    if (beyond === 0) expect(await subscribed(['a', 'b', 'c'].map((name) => name.repeat(15_000)))).toBe(2);
  });

  it('is subscribed again in a restarted server, and notified, because it may have missed changes', async () => {
    const [mine] = await bothConnected();
    await mine.subscribe(address);
    await writer.call(`${server.slug}__leave`);
    await writer.call(`${server.slug}__heard`);
    await until(() => mine.updated.length > 0);
    const updatedBefore = mine.updated.length;
    await until(async () => (await write(), mine.updated.length > updatedBefore));
  });
});
