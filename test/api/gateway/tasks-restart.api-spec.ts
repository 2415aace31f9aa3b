import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { asAgent } from '../../support/callers.js';
import { startService, type Service } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { tryOut } from '../mcp/servers.js';
import { answer } from '../work/gates/gate-requests.js';
import { executedGate, setAsk } from './approval-setting.js';
import { closeClients, connectTasker } from './mcp-clients.js';
import { installed, type Installed } from './mcp-setting.js';

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
let first: Service;
let second: Service;
let server: Installed;
beforeAll(async () => {
  first = await startService({
    ownProcess: true,
    settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '600' },
  });
  second = await first.second();
  server = await installed(first, 'call-log');
});
afterEach(closeClients);
afterAll(async () => {
  await first?.remove();
  catalog.remove();
});

describe('a task', () => {
  it('outlives the process that created it, and is made once by any other', async () => {
    const agent = await asAgent(first);
    await setAsk(first, server, agent);
    const params = { name: `${server.slug}__work`, arguments: { round: 'task', ms: 0 } };
    const before = await connectTasker(agent.at(second));
    const created = await before.request({ method: 'tools/call', params }, CreateTaskResultSchema, {
      task: {},
    });
    const { taskId: id } = created.task;
    const waiting = before.experimental.tasks.getTaskResult(id, CallToolResultSchema);
    waiting.catch(() => undefined);
    await second.kill();
    await expect(waiting).rejects.toThrow();
    await second.start();
    const { tasks } = (await connectTasker(agent.at(second))).experimental;
    expect(await tasks.getTask(id)).toMatchObject({ status: 'working' });
    const inBoth = [
      (await connectTasker(agent)).experimental.tasks.getTaskResult(id, CallToolResultSchema),
      tasks.getTaskResult(id, CallToolResultSchema),
    ];
    await answer(first.owner, { id }, { decision: 'approve' });
    for (const result of await Promise.all(inBoth))
      expect(result).toMatchObject({ content: [{ text: 'done' }] });
    expect((await executedGate(first, { id })).outcome).toBe('ok');
    const logs = await Promise.all(
      [first, second].map(async ({ owner }) => {
        const { began } = JSON.parse(await tryOut(owner, server, 'log')) as { began: string[] };
        return began;
      }),
    );
    expect(logs.flat()).toEqual(['task']);
  });
});
