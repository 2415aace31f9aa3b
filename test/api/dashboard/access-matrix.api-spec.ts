import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAgent, createdBy, someName, type NewAgent } from '../../support/builders.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  hasFocus,
  inEachLook,
  noChromium,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aVerifiedServer, grant, pathOf, type Installed } from '../mcp/servers.js';

const catalog = new LocalCatalog().stdio('listed', ['tools-from-file.mjs'], {
  variables: [{ name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
const inBrowser = noChromium === null ? describe : describe.skip;

interface Tool {
  name: string;
  allowed: boolean;
  source: string | null;
  profiles: string[];
  credentialSet: string;
}

const itInFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;

inBrowser('the matrix of access', () => {
  const browser = dashboardBrowser(() => service);
  let server: Installed;
  let agents: [NewAgent, NewAgent];
  beforeAll(async () => {
    const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });
    const file = catalog.toolsFile('two', [tool('echo'), tool('sum')]);
    server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: file } });
    const set = { name: 'team', envValues: { TOOLS_FILE: file } };
    await service.owner.post(`${pathOf(server)}/credential-sets`, set);
    agents = [
      await anAgent(service.owner, { name: someName('First') }),
      await anAgent(service.owner, { name: someName('Second') }),
    ];
  });
  const toolsOf = async ({ id }: NewAgent) =>
    (await service.owner.get<Tool[]>(`/api/agents/${id}/tools`)).body.filter(({ allowed }) => allowed);
  const managing = async (path: string) => {
    const opened = await browser.signedIn(path);
    await confirmPassword(opened.page, OWNER.password);
    return opened;
  };
  const cell = (page: Page, { name }: { name: string }, words: string) =>
    page.getByRole('button', { name: `${name}, ${server.name}: ${words}` });
  const saved = async (page: Page, changes: string) => {
    // The words may still be there from an earlier save.
    const stored = page.waitForResponse((response) => response.request().method() !== 'GET');
    await page.getByRole('button', { name: `Save ${changes}` }).click();
    await stored;
    await page
      .getByText(`${changes} ${changes.startsWith('1 ') ? 'is' : 'are'} saved`)
      .first()
      .waitFor();
  };

  it('has profiles as rows: they give to their agents, say so in their cells, and a refusal wins', async () => {
    const profile = { name: someName('Writers') };
    const [first, second] = agents;
    const { page, problems } = await managing(`/access?server=${server.id}`);
    await page.getByRole('button', { name: 'New profile' }).click();
    await page.getByLabel('Name', { exact: true }).fill(profile.name);
    for (const { name } of agents) await page.getByRole('checkbox', { name }).check();
    await page.getByRole('button', { name: 'Create profile' }).click();
    await cell(page, profile, 'None').click();
    await page.getByRole('radio', { name: /^All approved tools/ }).check();
    await page.getByLabel('Credential set').selectOption('team');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page
      .getByText(`${profile.name} gives all 2 tools of ${server.name} with the credentials team.`)
      .waitFor();
    await saved(page, '1 change');
    await cell(page, first, `All, by ${profile.name}, credentials team`).waitFor();
    expect(await toolsOf(second)).toMatchObject([
      { source: 'profile', profiles: [profile.name], credentialSet: 'team' },
      { source: 'profile' },
    ]);

    await cell(page, second, 'All').focus();
    await page.keyboard.press('Space');
    await cell(page, second, 'Refused, edited').waitFor();
    await saved(page, '1 change');
    await cell(page, second, 'Refused').waitFor();
    expect([(await toolsOf(first)).length, (await toolsOf(second)).length]).toEqual([2, 0]);

    // The bar with its buttons is gone, and the focus is back in the grid.
    await page.locator('[role=grid] button:focus').waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('2 chosen').waitFor();
    await page.getByRole('button', { name: 'Delete profile' }).click();
    await page.getByText('2 agents have it and lose what only this profile gives').waitFor();
    await page.getByRole('button', { name: 'Delete profile' }).click();
    await cell(page, first, 'None').waitFor();
    expect(await toolsOf(first)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('gives an agent the credential set that is chosen, and shows what another admin does', async () => {
    const [agent] = agents;
    const { page, problems } = await managing(`/access?server=${server.id}`);
    await cell(page, agent, 'None').click();
    await page.getByRole('radio', { name: /^All approved tools/ }).check();
    await page.getByLabel('Credential set').selectOption('team');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await saved(page, '1 change');
    await cell(page, agent, 'All, credentials team').waitFor();
    expect(await toolsOf(agent)).toMatchObject([
      { source: 'grant', credentialSet: 'team' },
      { source: 'grant' },
    ]);
    await grant(service.owner, server, agent, { credentialSet: 'default', tools: ['sum'] });
    await cell(page, agent, '1 of 2').waitFor();
    await createdBy(service.owner, '/api/mcp/profiles', {
      name: someName('From elsewhere'),
      entries: [{ serverId: server.id }],
      agentIds: [agent.id],
    });
    await cell(page, agent, 'All, granted and by From elsewhere').waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps the cell of a profile that another admin changes at the same time', async () => {
    browser.mayNote('status of 412');
    const envValues = { TOOLS_FILE: catalog.toolsFile('other', []) };
    const other = await aVerifiedServer(service.owner, 'listed', { envValues });
    const profile = await createdBy<{ id: string; name: string }>(service.owner, '/api/mcp/profiles', {
      name: someName('Shared'),
    });
    const path = `/api/mcp/profiles/${profile.id}`;
    const { page } = await managing(`/access?server=${server.id}`);
    await cell(page, profile, 'None').focus();
    await page.keyboard.press('Space');
    let isFirst = true;
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'PUT' && isFirst) {
        isFirst = false;
        await service.owner.put(path, { entries: [{ serverId: other.id }] });
      }
      await route.continue();
    });
    await saved(page, '1 change');
    const { body } = await service.owner.get<{ entries: { serverId: string }[] }>(path);
    expect(body.entries.map(({ serverId }) => serverId)).toEqual([server.id, other.id]);
  });

  itInFull(
    'holds 500 agents and 50 servers: few rows are in the document, and all are reached by keyboard',
    async () => {
      const { page, problems } = await browser.signedIn('/servers');
      await manyOf(page, 500, 50);
      await confirmPassword(page, OWNER.password);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Access' }).click();
      const of = (row: string, column: string) =>
        page.getByRole('button', { name: `${row}, ${column}:`, exact: false }).first();
      await of('Agent 001', 'Server 01').waitFor();
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('511');
      expect(await page.getByRole('gridcell').count()).toBeLessThan(50 * 60);
      await page.getByRole('button', { name: /^Profile Many 01/ }).focus();
      await page.keyboard.press('Control+End');
      const last = of('Agent 500', 'Server 50');
      await last.waitFor();
      expect(await last.evaluate(hasFocus)).toBe(true);
      await page.keyboard.press('Control+Home');
      await page.locator('[data-row="0"][data-column="0"]:focus').waitFor();
      // The focus stays while its row is scrolled out of the view.
      await page.evaluate(`document.querySelector('[role=grid]').parentElement.scrollTop = 12000`);
      await of('Agent 270', 'Server 01').waitFor();
      expect(await page.locator('[data-row="0"][data-column="0"]').evaluate(hasFocus)).toBe(true);
      await page.getByLabel('Find a profile or agent').fill('agent 432');
      await of('Agent 432', 'Server 50').waitFor();
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2');
      expect(problems).toEqual([]);
    },
  );

  it('has no accessibility violation in any look', async () => {
    const profile = someName('Looked at');
    await createdBy(service.owner, '/api/mcp/profiles', {
      name: profile,
      entries: [{ serverId: server.id, credentialSet: 'team', ask: 'writes' }],
      agentIds: [agents[1].id],
    });
    const { page } = await managing(`/access?server=${server.id}`);
    const calm = () =>
      inEachLook(page, async (look) => {
        expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
      });
    await cell(page, { name: profile }, 'All').waitFor();
    await calm();
    await cell(page, agents[1], '').click();
    await page.getByRole('region', { name: 'Where it comes from' }).waitFor();
    await calm();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: `Profile ${profile}` }).click();
    await page.getByRole('checkbox', { name: agents[0].name }).waitFor();
    await calm();
  });
});

/** Answers the requests of the page in place of a service with that many agents and servers, and ten profiles. */
async function manyOf(page: Page, agentCount: number, serverCount: number): Promise<void> {
  const named = (kind: string, count: number, digits: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${kind}-${at + 1}`,
      name: `${kind} ${String(at + 1).padStart(digits, '0')}`,
    }));
  const agents = named('Agent', agentCount, 3).map((agent) => ({ ...agent, disabled: false }));
  const servers = named('Server', serverCount, 2).map((one) => ({ ...one, status: 'enabled', tools: 22 }));
  const entries = servers.map(({ id }) => ({
    serverId: id,
    tools: null,
    ask: null,
    credentialSet: 'default',
  }));
  const at = '2026-11-01T00:00:00.000Z';
  const profiles = named('Many', 10, 2).map((profile, tenth) => ({
    ...profile,
    entries,
    agentIds: agents.filter((_, index) => index % 10 === tenth).map(({ id }) => id),
    createdAt: at,
    updatedAt: at,
  }));
  await page.route('**/api/mcp/access', (route) =>
    route.fulfill({ json: { agents, servers, cells: [], profiles: [] } }),
  );
  await page.route('**/api/mcp/profiles', (route) => route.fulfill({ json: profiles }));
}
