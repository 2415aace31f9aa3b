import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  hasFocus,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import {
  anAsker,
  callOf,
  codeOf,
  openGate,
  resultOf,
  setAsk,
  textOf,
  type Asker,
} from '../gateway/approval-setting.js';
import { sendHeartbeat, takeTurn } from '../gateway/heartbeat-requests.js';
import { aLeaseHolder } from '../gateway/lease-setting.js';
import { installed, type Installed } from '../gateway/mcp-setting.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { readGate } from '../work/gates/gate-requests.js';

const catalog = new LocalCatalog()
  .stdio('files', ['tools-from-file.mjs'], { variables: [{ name: 'TOOLS_FILE' }] })
  .stdio('asks', ['elicits.mjs', 'legacy']);
const tool = (name: string, annotations?: object) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...(annotations && { annotations }),
});
// No test waits for the end of this wait.
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '120' } });
afterAll(() => catalog.remove());
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('decisions of a person on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let server: Installed;
  beforeAll(async () => {
    const file = catalog.toolsFile('three', [
      tool('read', { readOnlyHint: true }),
      tool('write'),
      tool('drop'),
    ]);
    server = await installed(service, 'files', { envValues: { TOOLS_FILE: file } });
  });

  const deciding = async ({ issue }: Pick<Asker, 'issue'>, button = 'More…') => {
    const { page, problems } = await browser.signedIn('/');
    const row = page.getByRole('listitem').filter({ hasText: issue.key });
    await row.getByRole('button', { name: button }).click();
    return { page, row, problems };
  };
  const goOn = async (asker: Asker, name: string) =>
    textOf(await callOf(asker.caller, server, name, { path: 'notes.txt' }));

  it('approves a call with a note for the rest of the issue, and the agent goes on', async () => {
    const asker = await anAsker(service, server);
    const calling = callOf(asker.caller, server, 'write', { path: 'notes.txt' });
    const gate = await openGate(service, asker.agent);
    const { page, row, problems } = await deciding(asker);
    await row.getByText('"path": "notes.txt"').waitFor();
    await row.getByText('says: does write').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await row.getByText(`Each call of write for ${asker.issue.key}`).click();
    await row.getByLabel('Note for the agent').fill('Not the index.');
    await row.getByRole('button', { name: 'Approve' }).click();
    expect(resultOf(await calling).isError).toBeFalsy();
    await row.waitFor({ state: 'detached' });
    expect((await readGate(service.owner, gate)).answer).toMatchObject({
      decision: 'approve',
      scope: 'issue',
      note: 'Not the index.',
    });
    // The approval holds for the further calls of this tool, so this one waits for no person.
    expect(await goOn(asker, 'write')).toBeTruthy();
    expect(problems).toEqual([]);
  });

  it('denies a call, and the agent reads the note', async () => {
    const asker = await anAsker(service, server, { ask: ['drop'] });
    const calling = callOf(asker.caller, server, 'drop');
    await openGate(service, asker.agent);
    const { row, problems } = await deciding(asker);
    await row.getByLabel('Note for the agent').fill('Keep the table.');
    await row.getByRole('button', { name: 'Deny' }).click();
    const answer = await calling;
    expect(codeOf(answer)).toBe('approval_denied');
    expect(resultOf(answer).structuredContent).toMatchObject({ note: 'Keep the table.' });
    await row.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('fills in the form of a server that asks, by keyboard, and the server gets the answer', async () => {
    const asks = await installed(service, 'asks');
    const asker = await anAsker(service, asks, { ask: null });
    const calling = callOf(asker.caller, asks, 'deploy');
    const gate = await openGate(service, asker.agent);
    const { page } = await browser.signedIn('/');
    browser.mayNote('status of 400');
    const row = page.getByRole('listitem').filter({ hasText: asker.issue.key });
    const send = row.getByRole('button', { name: 'Send the answer' });
    const times = row.getByLabel('times (optional)');
    const press = (...keys: string[]) =>
      keys.reduce((after, key) => after.then(() => page.keyboard.press(key)), Promise.resolve());
    await tabTo(page, row.getByRole('button', { name: 'Fill in the form…' }));
    await press('Enter');
    await tabTo(page, row.getByLabel('Branch'));
    await page.keyboard.type('next');
    await tabTo(page, times);
    await press('ControlOrMeta+A', '1', '0');
    await tabTo(page, send);
    await press('Enter');
    await row.getByText('must be <= 9').waitFor();
    expect(await times.getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await readGate(service.owner, gate)).toMatchObject({ state: 'open', answer: null });
    await press('Shift+Tab');
    expect(await times.evaluate(hasFocus)).toBe(true);
    await press('ControlOrMeta+A', '2', 'Tab', 'Enter');
    const content = { branch: 'next', times: 2 };
    expect(JSON.parse(textOf(await calling))).toEqual({ action: 'accept', content });
    await row.waitFor({ state: 'detached' });
  });

  it('extends a budget that is used up by what the person says', async () => {
    const holder = await aLeaseHolder(service);
    const held = { issueId: holder.issueId, token: holder.token };
    const path = `/api/projects/issues/${holder.issue.id}/budget`;
    await service.owner.put(path, { turns: 1, period: 'total' });
    expect((await takeTurn(holder.agent, held)).proceed).toBe(true);
    expect(await takeTurn(holder.agent, held)).toMatchObject({ proceed: false, reason: 'budget' });
    const { row, problems } = await deciding(holder, 'Extend…');
    await row.getByLabel('Extend by (turns)').fill('7');
    await row.getByRole('button', { name: 'Extend', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect((await service.owner.get<{ extended: object }>(path)).body.extended).toMatchObject({ turns: 7 });
    expect((await sendHeartbeat(holder.agent, { capacity: 1 })).pickedUp).toMatchObject([
      { issue: { id: holder.issue.id } },
    ]);
    expect(problems).toEqual([]);
  });

  it('sets in the matrix what asks for an approval: for all writes, and tool by tool', async () => {
    const agent = await asAgent(service);
    const { page, problems } = await browser.signedIn(`/access?server=${server.id}`);
    await confirmPassword(page, OWNER.password);
    const panel = page.getByRole('complementary', { name: `${agent.name} and ${server.name}` });
    const choice = (name: string) => panel.getByRole('group', { name }).locator('input:checked');
    await page.getByRole('button', { name: `${agent.name}, ${server.name}: None` }).click();
    await panel.getByText('All approved tools, also those that come later').click();
    await panel.getByText('Each call that may change something').click();
    expect([await choice('read').inputValue(), await choice('write').inputValue()]).toEqual(['allow', 'ask']);
    await panel.getByRole('group', { name: 'drop' }).getByText('Off').click();
    await panel.getByLabel('Who approves').selectOption('Admin');
    expect(await accessibilityViolations(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText(/and asks an Admin before each call that may change something/).waitFor();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change is saved').first().waitFor();
    const { body } = await service.owner.get<Record<string, unknown>[]>(`/api/agents/${agent.id}/access`);
    expect(body.find(({ serverId }) => serverId === server.id)).toMatchObject({
      tools: ['read', 'write'],
      ask: 'writes',
      approverRole: 'Admin',
    });
    await page
      .getByRole('button', { name: `${agent.name}, ${server.name}: 2 of 3, asks for writes` })
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps what is asked where only the tools change', async () => {
    const agent = await asAgent(service);
    await setAsk(service, server, agent, { ask: ['drop'], approverRole: 'Admin' });
    const { page } = await browser.signedIn(`/access?server=${server.id}`);
    await confirmPassword(page, OWNER.password);
    const cell = page.getByRole('button', { name: `${agent.name}, ${server.name}: All, asks for 1` });
    await cell.click();
    const panel = page.getByRole('complementary', { name: `${agent.name} and ${server.name}` });
    await panel.getByRole('group', { name: 'write' }).getByText('Off').click();
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change is saved').first().waitFor();
    const { body } = await service.owner.get<Record<string, unknown>[]>(`/api/agents/${agent.id}/access`);
    expect(body.find(({ serverId }) => serverId === server.id)).toMatchObject({
      tools: ['read', 'drop'],
      ask: ['drop'],
      approverRole: 'Admin',
    });
  });
});
