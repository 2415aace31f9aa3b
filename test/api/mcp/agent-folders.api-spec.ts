import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { probeSandbox } from '../../../src/mcp/processes/sandbox/sandbox-probe.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import { aVerifiedServer, grant, type Installed, pathOf, tryOut } from './servers.js';

const variables = [{ name: 'FOLDER', format: 'filepath', access: 'write' }];
const catalog = new LocalCatalog()
  .stdio('own', ['sandbox-attempts.mjs'], { variables, manifest: { sharing: 'agent' } })
  .stdio('shared', ['sandbox-attempts.mjs'], { variables });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
const folder = mkdtempSync(join(tmpdir(), 'awp-agent-folders-'));
afterAll(() => {
  catalog.remove();
  rmSync(folder, { recursive: true, force: true });
});
const level = await probeSandbox('auto');

const write = async (agent: Caller, server: Installed, path: string): Promise<string> => {
  const name = `${server.slug}__write-file`;
  const { message } = await modern(agent, 'tools/call', { name, arguments: { path } });
  return JSON.stringify(message.result);
};
const install = (catalogId: string, FOLDER: string) =>
  service.owner.post('/api/mcp/installed', { catalogId, envValues: { FOLDER } });

describe('a path with {agentId}', () => {
  it('is a folder per agent, which the agent alone can write in', async () => {
    const envValues = { FOLDER: join(folder, '{agentId}', 'work') };
    const server = await aVerifiedServer(service.owner, 'own', { envValues });
    const agents = [await asAgent(service), await asAgent(service)] as const;
    for (const agent of agents) await grant(service.owner, server, agent);
    const [one, other] = agents.map(({ id }) => join(folder, id, 'work', 'file')) as [string, string];
    expect(await write(agents[0], server, one)).toContain('written');
    expect(existsSync(one)).toBe(true);
    expect(statSync(join(folder, agents[0].id)).mode & 0o777).toBe(0o700);
    expect(existsSync(join(folder, agents[1].id))).toBe(false);
    expect(await write(agents[1], server, other)).toContain('written');
    if (level !== 'process-group') expect(await write(agents[1], server, `${one}-2`)).toContain('refused');
    const own = join(folder, await me(), 'work', 'file');
    expect(await tryOut(service.owner, server, 'write-file', { path: own })).toBe('written');
    await service.owner.delete(pathOf(server));
    expect(existsSync(one)).toBe(true);
  });

  it('is refused where agents share a process, and so is {issueKey} everywhere', async () => {
    expect(await install('shared', join(folder, '{agentId}'))).toMatchObject(
      refused(400, 'validation_failed', 'envValues.FOLDER'),
    );
    expect(await install('own', join(folder, '{issueKey}'))).toMatchObject(
      refused(400, 'validation_failed', 'envValues.FOLDER'),
    );
  });

  it('is refused where the folder before the placeholder is not there', async () => {
    expect(await install('own', join(folder, 'absent', '{agentId}'))).toMatchObject(
      refused(400, 'validation_failed', 'envValues.FOLDER'),
    );
  });

  it('starts no server whose folder leads into the data folder by a link', async () => {
    const place = join(folder, 'linked');
    mkdirSync(place);
    const server = await aVerifiedServer(service.owner, 'own', {
      envValues: { FOLDER: join(place, '{agentId}') },
    });
    const agent = await asAgent(service);
    await grant(service.owner, server, agent);
    symlinkSync(service.dataDir, join(place, agent.id));
    const result = await write(agent, server, join(place, agent.id, 'file'));
    expect(result).toMatch(/cannot be started/);
    expect(existsSync(join(service.dataDir, 'file'))).toBe(false);
  });
});

const me = async () => String((await service.owner.get('/api/auth/me')).body.id);
