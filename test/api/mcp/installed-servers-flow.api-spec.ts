import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import { useService } from '../../support/service.js';
import { pathOf, tryOut, verify, type Installed } from './servers.js';

const service = useService();
const LONG = 150_000;

const install = (catalogId: string) =>
  createdBy<Installed>(service.owner, '/api/mcp/installed', { catalogId });
const packagesOf = ({ id }: { id: string }) => join(service.dataDir, 'mcp', 'servers', id, 'packages');

describe('a server of the registry', () => {
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
