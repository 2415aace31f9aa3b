import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { BACKUP, emptyDatabase, RESTORE, run } from '../../support/backup-commands.js';
import { asEditor } from '../../support/callers.js';
import { Service, useService } from '../../support/service.js';
import { anAsker, callOf, codeOf, executedGate, resultOf } from '../gateway/approval-setting.js';
import { sendHeartbeat, takeTurn } from '../gateway/heartbeat-requests.js';
import { installed } from '../gateway/mcp-setting.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { answer, readGate } from '../work/gates/gate-requests.js';

const catalog = new LocalCatalog();
const tools = catalog.toolsFile('backed-up', [
  { name: 'write', description: 'writes', inputSchema: { type: 'object' } },
]);
catalog.stdio('files', ['tools-from-file.mjs'], { variables: [{ name: 'TOOLS_FILE' }] });
const settings = { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '1' };
const service = useService({ settings });
afterAll(() => catalog.remove());

it('a restored service runs a tool call that waited for an approval when it was backed up, with its sealed arguments', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awp-backup-approvals-'));
  const target = await emptyDatabase();
  const restored = new Service({
    settings: { ...settings, BOOTSTRAP_OWNER_API_KEY: service.ownerKey },
    database: target,
  });
  try {
    const server = await installed(service, 'files', { envValues: { TOOLS_FILE: tools } });
    const asker = await anAsker(service, server);
    const secret = 'the recipe of the sauce';
    const response = await callOf(asker.caller, server, 'write', { secret });
    expect(codeOf(response)).toBe('approval_pending');
    const gate = { id: resultOf(response).structuredContent!.gateId! };

    await backUpInto(folder);
    await restored.furnish();
    await restoreFrom(folder, restored);
    await restored.start();

    expect(await readGate(restored.owner, gate)).toMatchObject({
      ...{ state: 'open', kind: 'approval', issue: { id: asker.issueId } },
      request: { toolName: 'write', arguments: { secret } },
    });
    const editor = await asEditor(restored);
    expect((await answer(editor, gate, { decision: 'approve' })).status).toBe(200);
    expect(await executedGate(restored, gate)).toMatchObject({ state: 'answered', outcome: 'ok' });
    const agent = asker.agent.at(restored);
    const [picked] = (await sendHeartbeat(agent, { capacity: 1 })).pickedUp;
    const turn = await takeTurn(agent, { issueId: asker.issueId, token: picked!.lease.token });
    expect(turn.answers).toMatchObject([{ gateId: gate.id, outcome: 'ok' }]);
    expect(JSON.stringify(turn.answers)).toContain(secret);
    // The service that was backed up has not heard of the approval.
    expect(await readGate(service.owner, gate)).toMatchObject({ state: 'open' });
  } finally {
    await restored.remove();
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

async function backUpInto(folder: string): Promise<void> {
  const place = { DATA_DIR: service.dataDir, DATABASE_URL: service.databaseUrl };
  const { code, said } = await run(BACKUP, [join(folder, 'data'), '--ring', join(folder, 'ring')], place);
  expect([code, said]).toEqual([0, expect.stringContaining('Backed up')]);
}

async function restoreFrom(folder: string, restored: Service): Promise<void> {
  const [name] = await readdir(join(folder, 'data'));
  const ring = join(folder, 'ring', name!, 'keyring.json');
  const place = { DATA_DIR: restored.dataDir, DATABASE_URL: restored.databaseUrl };
  const { code, said } = await run(RESTORE, [join(folder, 'data', name!), '--ring', ring], place);
  expect([code, said]).toEqual([0, expect.stringContaining('Restored the backup')]);
}
