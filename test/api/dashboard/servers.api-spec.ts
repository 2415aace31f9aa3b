import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAgent, someName, type NewAgent } from '../../support/builders.js';
import { aPerson, PASSWORD, withKey } from '../../support/callers.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  goWithin,
  inEachLook,
  noChromium,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('agents, settings and servers on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let agent: NewAgent;
  beforeAll(async () => {
    agent = await anAgent(service.owner, { name: 'Tool user' });
  });

  it('shows an Editor which role the servers need', async () => {
    const { email } = await aPerson(service, 'Editor');
    const { page, problems } = await browser.signedIn('/servers', { email, password: PASSWORD });
    await page.getByText('This needs the role Admin or above. You are Editor.').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('says that an agent takes no more work: why, since when, and what to do', async () => {
    const stuck = await anAgent(service.owner, { name: someName('Stuck') });
    const failing = 'git ended with code 128.';
    await withKey(service, stuck.key).post('/api/agents/me/heartbeat', { worker: 'w1', failing });
    const { page } = await browser.signedIn(`/agents/${stuck.id}`);
    const words =
      /^Failing\. It takes no new work: git ended with code 128\. Correct that, then start its worker w1 again\. It has failed since .*\.$/;
    await page.getByText(words).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: `${stuck.name} takes no more work` }).waitFor();
  });

  it('says what the service consists of', async () => {
    const { page } = await browser.signedIn('/settings/about');
    const row = page.getByRole('table').getByRole('row').nth(1);
    await row.getByText('Requests, MCP servers and background work').waitFor();
    expect(await row.getByText('Ready').count()).toBe(1);
    const { version } = (await service.owner.get<{ version: string }>('/api/info')).body;
    await page.getByText(version, { exact: true }).waitFor();
  });

  it('has no accessibility violation in any look', async () => {
    const { page } = await browser.signedIn('/agents');
    const calm = async () => {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await inEachLook(page, async (look) => {
        const at = `${page.url()}, ${look}`;
        expect([at, ...(await accessibilityViolations(page))]).toEqual([at]);
      });
    };
    for (const path of [
      '/agents',
      `/agents/${agent.id}`,
      `/agents/${agent.id}/tools`,
      `/agents/${agent.id}/keys`,
      `/agents/${agent.id}/connect`,
      '/activity',
      '/projects',
      '/settings',
      '/settings/keys',
      '/settings/users',
      '/settings/webhooks',
      '/settings/about',
      '/servers',
    ]) {
      await goWithin(page, path);
      await calm();
    }
    await confirmPassword(page, OWNER.password);
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
    await calm();
    await goWithin(page, '/access');
    await page.getByRole('heading', { name: 'Access', level: 1 }).waitFor();
    await calm();
  });
});
