import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { createdBy } from '../../support/builders.js';
import { useService } from '../../support/service.js';
import { grant, pathOf, processesNaming, tryOut, verify, type Installed } from './servers.js';

const service = useService();
const LONG = 150_000;

const install = (catalogId: string) =>
  createdBy<Installed>(service.owner, '/api/mcp/installed', { catalogId });
const packagesOf = ({ id }: { id: string }) => join(service.dataDir, 'mcp', 'servers', id, 'packages');

describe('the flow of an operator with real servers of the registry', () => {
  it(
    'covers runtime, catalogue, installation, verification, grant, use and removal',
    async () => {
      expect((await service.owner.get('/api/mcp/runtime')).body).toMatchObject({ node: { detected: true } });
      const entry = (
        await service.owner.get<{ version: string; installable: boolean }>('/api/mcp/catalog/everything')
      ).body;
      expect(entry.installable).toBe(true);
      const server = await install('everything');
      expect(server).toMatchObject({
        status: 'enabled',
        catalogVersion: entry.version,
        slug: 'everything-refer',
      });
      expect(readdirSync(packagesOf(server))).toHaveLength(1);

      const { body } = await verify(service.owner, server);
      expect(body).toMatchObject({ status: 'ok', phase: 'done' });
      expect(body.capabilities).toContain('echo');

      const agent = await asAgent(service);
      await grant(service.owner, server, agent, { tools: ['echo'] });
      const tools = await service.owner.get<{ name: string; allowed: boolean }[]>(
        `/api/agents/${agent.id}/tools`,
      );
      expect(tools.body.filter(({ allowed }) => allowed).map(({ name }) => name)).toEqual(['echo']);
      expect(await tryOut(service.owner, server, 'echo', { message: 'hello' })).toMatch(/hello/);

      expect((await service.owner.delete(pathOf(server))).status).toBe(204);
      expect(processesNaming(server.id)).toEqual([]);
      expect(existsSync(packagesOf(server))).toBe(false);
    },
    LONG,
  );

  it(
    'keeps the state of a server in its own folder and fetches a lost package again',
    async () => {
      const server = await install('memory');
      expect((await verify(service.owner, server)).body.status).toBe('ok');
      const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
      await tryOut(service.owner, server, 'create_entities', { entities });
      for (const action of ['disable', 'enable']) await service.owner.post(`${pathOf(server)}/${action}`);
      expect(await tryOut(service.owner, server, 'read_graph')).toMatch(/wrote the first program/);

      await service.owner.post(`${pathOf(server)}/disable`);
      rmSync(packagesOf(server), { recursive: true });
      expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok' });
      expect(readdirSync(packagesOf(server))).toHaveLength(1);
    },
    LONG,
  );
});
