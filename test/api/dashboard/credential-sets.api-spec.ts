import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgent, someName, type NewAgent } from '../../support/builders.js';
import { canary } from '../../support/canary.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  inEachLook,
  noChromium,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aServer, grant, pathOf, type Installed } from '../mcp/servers.js';

const catalog = new LocalCatalog().stdio('with-sets', ['tools-from-file.mjs'], {
  name: 'Server with sets',
  variables: [
    { name: 'TOKEN', isRequired: true, isSecret: true },
    { name: 'REGION', default: 'eu' },
  ],
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('credential sets on the page of a server', () => {
  const browser = dashboardBrowser(() => service);
  let server: Installed;
  let agent: NewAgent;
  beforeAll(async () => {
    agent = await anAgent(service.owner, { name: someName('Tool user') });
    server = await aServer(service.owner, 'with-sets', { envValues: { TOKEN: canary('first') } });
  });
  const add = (name: string) =>
    service.owner.post(`${pathOf(server)}/credential-sets`, { name, envValues: { TOKEN: canary('other') } });

  it('are added, revoked with what that hits, filled again, and deleted once nothing names them', async () => {
    const { page, problems } = await browser.signedIn(`/servers/${server.id}/credentials`);
    await confirmPassword(page, OWNER.password);
    const row = (name: string) => page.getByRole('listitem', { name: `Credential set ${name}`, exact: true });
    const choose = async (name: string, item: string) => {
      await row(name).getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const secret = canary('team');
    await page.getByRole('button', { name: 'Add a set' }).click();
    await page.getByLabel('Name of the set').fill('team-a');
    await page.getByRole('dialog').getByLabel('TOKEN').fill(secret);
    await page.keyboard.press('Enter');
    await row('team-a').getByText('Ready').waitFor();
    await row('team-a').getByText('TOKEN set').waitFor();
    await page.locator('button:focus', { hasText: 'Add a set' }).waitFor();
    // What another admin does appears by itself.
    await add('team-b');
    await row('team-b').getByText('No agent uses it.').waitFor();
    await grant(service.owner, server, agent, { credentialSet: 'team-a' });
    await row('team-a').getByText(`Used by ${agent.name}.`).waitFor();

    await choose('team-a', 'Revoke');
    await page.getByText(`1 agent uses it and loses the tools of this server: ${agent.name}.`).waitFor();
    await page.getByRole('button', { name: 'Revoke credentials' }).click();
    await row('team-a').getByText('Revoked', { exact: true }).waitFor();
    await row('team-a').getByRole('button', { name: 'Enter values' }).click();
    await row('team-a').getByLabel('TOKEN').fill(canary('next'));
    await page.keyboard.press('Enter');
    await row('team-a').getByText('Ready').waitFor();

    await choose('team-a', 'Delete');
    await page.getByRole('dialog').getByText(`${agent.name} names it.`).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.locator('button[aria-label="More actions for the set team-a"]:focus').waitFor();
    await choose('team-b', 'Delete');
    await page.getByRole('button', { name: 'Delete set' }).click();
    await row('team-b').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect(problems).toEqual([]);
  });

  it('have no accessibility violation in any look', async () => {
    await add('looked-at');
    const { page } = await browser.signedIn(`/servers/${server.id}/credentials?set=looked-at`);
    await confirmPassword(page, OWNER.password);
    const calm = () =>
      inEachLook(page, async (look) => {
        expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
      });
    await page.getByRole('form', { name: 'Values of looked-at' }).waitFor();
    await calm();
    await page.getByRole('button', { name: 'Add a set' }).click();
    await page.getByLabel('Name of the set').waitFor();
    await calm();
  });
});
