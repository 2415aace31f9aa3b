import { afterAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { createdBy, someName } from '../../support/builders.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from './local-catalog.js';

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

type Installed = { id: string; name: string; slug: string; status: string };
const install = (fields: object = {}) => createdBy<Installed>(service.owner, '/api/mcp/installed', { catalogId: 'polite', name: someName('server'), ...fields });

describe('an installed server', () => {
  it('is enabled, can be verified, granted and explained', async () => {
    const server = await install();
    expect(server).toMatchObject({ status: 'enabled', catalogId: 'polite', lastVerification: null });
    const verified = await service.owner.post(`/api/mcp/installed/${server.id}/verify`);
    expect(verified.body).toMatchObject({ status: 'ok', phase: 'done' });
    const agent = await asAgent(service);
    const granted = await service.owner.put(`/api/mcp/installed/${server.id}/access`, { entries: [{ agentId: agent.id, granted: true }] });
    expect(granted.body).toEqual([{ agentId: agent.id, agentName: agent.name, granted: true, tools: null }]);
    const tools = await service.owner.get(`/api/agents/${agent.id}/tools`);
    console.log(verified.text, tools.text, (await service.owner.get(`/api/mcp/installed/${server.id}/tools`)).text);
    expect((await service.owner.delete(`/api/mcp/installed/${server.id}`)).status).toBe(204);
    expect((await service.owner.get(`/api/mcp/installed/${server.id}`)).status).toBe(404);
  });
});
