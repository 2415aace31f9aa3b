import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grant } from '../gateway/mcp-setting.js';
import { modern, session } from '../gateway/wire-call.js';
import { createdBy } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { canary } from '../../support/canary.js';
import { EventStream } from '../../support/event-stream.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';
import { formsOf } from './canary-forms.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, pathOf, processesNaming, type Installed } from './servers.js';

// Puts a canary into every variable and uses every function of the service on it, with a separate database. Afterwards no
// response, log line or byte on disk may contain a canary in any form. Other tests check their canaries as they run
// (`canary` of test/support); this one searches for the complete values.
const canaries = {
  SECRET: canary('secret 81c3d5f0'),
  TOKEN: canary('token c2a9b7e4'),
  PLAIN: canary('plain 52bb08aa'),
  FILE: `${canary('first line 0d6e9f13')}\n${canary('second line 7aa01b2c')}`,
};
const changed = canary('changed 5b7a1c2e');
const variables = [
  { name: 'SECRET', isRequired: true, isSecret: true },
  { name: 'TOKEN', isSecret: true },
  { name: 'PLAIN' },
  { name: 'FILE', isSecret: true, format: 'file' },
  { name: 'COUNT', format: 'number' },
];
const target = await WebhookTarget.start();
const catalog = new LocalCatalog()
  .stdio('echoing', ['misbehaving.mjs', 'echoes-secrets'], { variables })
  .stdio('failing', ['no-such-file.mjs'], { variables })
  .http('remote', 'http://127.0.0.1:9/mcp', {
    headers: { Authorization: 'Bearer {env:SECRET}', 'X-Token': '{env:TOKEN}' },
    variables: variables.slice(0, 3),
  });
const service = useService({
  ownProcess: true,
  settings: {
    DATABASE_URL: '',
    CATALOG_DIRS: catalog.folder,
    LOG_LEVEL: 'debug',
    OUTBOUND_ALLOWED_HOSTS: target.host,
  },
});
afterAll(async () => {
  await target.stop();
  catalog.remove();
});

const forms = [...Object.values(canaries), changed].flatMap((value) => value.split('\n')).flatMap(formsOf);
const holdsAny = (bytes: Buffer) => forms.some((form) => bytes.includes(form));
const found = (text: string) => forms.filter((form) => text.includes(form));

describe('the secrets of a server', () => {
  const outputs: string[] = [];
  const argumentsSeen: string[] = [];
  let agent: Caller;
  let events: EventStream;

  beforeAll(async () => {
    agent = await asAgent(service);
    await createdBy(service.owner, '/api/webhooks', { url: target.url });
    events = await EventStream.open(service.owner);
    for (const catalogId of ['echoing', 'failing', 'remote']) await live(catalogId);
    for (const path of [
      '/metrics',
      '/readyz',
      '/api/audit',
      '/api/mcp/installed',
      '/api/mcp/catalog',
      '/api/webhooks',
    ])
      await say('GET', path);
  });

  it('occur in no response and in no tool result of either era', () => {
    expect(outputs.length).toBeGreaterThan(60);
    expect(outputs.join('\n')).toContain('[secret]');
    expect(found(outputs.join('\n'))).toEqual([]);
  });

  it('occur in no event and in no webhook delivery', async () => {
    const ends = (type: string) => type === 'mcp.server.deleted';
    await until(() => events.events.filter(({ type }) => ends(type)).length === 3);
    await until(() => target.received.filter(({ event }) => ends(event.type)).length === 3);
    events.close();
    expect(found(JSON.stringify([events.events, target.received]))).toEqual([]);
  });

  it('occur in no argument of a process', () => {
    expect(argumentsSeen.length).toBeGreaterThan(1_000);
    expect(found(argumentsSeen.join('\n'))).toEqual([]);
  });

  it('occur in no line of the log', () => {
    expect(service.log).toContain('"route"');
    expect(found(service.log)).toEqual([]);
  });

  it('occur in no file of the data folder, including the database and its write-ahead log', async () => {
    await service.stop();
    const files = filesBelow(service.dataDir);
    expect(files.some((file) => file.includes('/pg_wal/'))).toBe(true);
    const holding = files.filter((file) => holdsAny(readFileSync(file)));
    expect(holding).toEqual([]);
    // Proves that the search works: the server's name is found in plain text.
    expect(files.some((file) => readFileSync(file).includes('bird-name'))).toBe(true);
  });

  /** Takes a server through its whole life and collects what its agents see. */
  async function live(catalogId: string): Promise<void> {
    const { FILE, ...others } = canaries;
    const envValues = catalogId === 'remote' ? others : { ...others, FILE };
    const server = await aServer(service.owner, catalogId, { envValues, name: `bird-name ${catalogId}` });
    const path = pathOf(server);
    await grant(service, { ...server }, agent);
    await say('POST', '/api/mcp/installed', {
      catalogId,
      envValues: { ...envValues, COUNT: canaries.SECRET, NOPE: canaries.SECRET },
    });
    await say('POST', '/api/mcp/installed', { catalogId, envValues, name: server.name });
    await say('POST', `${path}/verify`);
    await callAll(server);
    await say('PUT', path, { envValues: { SECRET: changed, TOKEN: null } });
    await say('PUT', path, { envValues: { SECRET: `${changed}\n`.repeat(2_000) } });
    await callAll(server);
    await say('POST', `${path}/upgrade?dryRun=true`);
    for (const part of ['', '/tools', '/logs', '/access']) await say('GET', path + part);
    await say('POST', `${path}/disable`);
    await callAll(server);
    await say('POST', `${path}/enable`);
    await say('GET', `/api/agents/${agent.id}/tools`);
    const gone = await aServer(service.owner, catalogId, { envValues });
    await say('DELETE', pathOf(gone));
  }

  async function callAll(server: Installed): Promise<void> {
    const { request } = await session(agent);
    for (const tool of ['result', 'error', 'progress']) {
      await say('POST', `${pathOf(server)}/tools/${tool}/call`, { arguments: {} });
      const params = { name: `${server.slug}__${tool}`, arguments: {} };
      for (const _meta of [{}, { progressToken: 1 }]) {
        outputs.push((await request('tools/call', { ...params, _meta })).text);
        outputs.push((await modern(agent, 'tools/call', { ...params, _meta })).text);
      }
    }
    outputs.push((await request('tools/list')).text);
  }

  async function say(method: string, path: string, body?: unknown): Promise<void> {
    const answer = await service.owner.request(method, path, { body });
    outputs.push(answer.text, JSON.stringify(answer.headers));
    argumentsSeen.push(...processesNaming(''));
  }
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
