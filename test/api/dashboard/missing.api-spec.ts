import { beforeAll, describe, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aProject } from '../../support/builders.js';
import { confirmPassword, dashboardBrowser, goWithin, noChromium } from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const NO_ID = '0199f0a0-7b1c-7c3e-9d55-000000000000';

inBrowser('an address whose object does not exist', () => {
  const browser = dashboardBrowser(() => service);
  beforeAll(async () => {
    await aProject(service.owner, { key: 'THERE', name: 'There' });
  });

  type Missing = [path: string, title: string, way: string, to: string];
  const OPEN: Missing[] = [
    ['/p/NOPE/board', 'There is no project NOPE', 'All projects', '/projects'],
    [`/agents/${NO_ID}`, 'There is no such agent', 'All agents', '/agents'],
    [`/agents/${NO_ID}/tools`, 'There is no such agent', 'All agents', '/agents'],
    ['/i/NOPE-1', 'There is no issue NOPE-1', 'All projects', '/projects'],
    ['/p/THERE/board?issue=THERE-9', 'There is no issue THERE-9', 'All projects', '/projects'],
    [`/settings/webhooks/${NO_ID}`, 'There is no such webhook', 'All webhooks', '/settings/webhooks'],
    ['/nowhere', 'There is nothing at this address', 'Go to Needs you', '/'],
    ['/p/THERE/nowhere', 'There is nothing at this address', 'Go to Needs you', '/'],
    [`/agents/${NO_ID}/nowhere`, 'There is nothing at this address', 'Go to Needs you', '/'],
  ];
  const ELEVATED: Missing[] = [
    [`/servers/${NO_ID}/tools`, 'There is no such server', 'All servers', '/servers'],
    [`/servers/${NO_ID}/nowhere`, 'There is nothing at this address', 'Go to Needs you', '/'],
    ['/catalog/nothing', 'The catalogue has no entry nothing', 'The catalogue', '/catalog'],
  ];

  /** Goes to the addresses within the page: the router treats the first one of a page in the same way. */
  async function areMissing(page: Page, addresses: Missing[]): Promise<void> {
    for (const [path, title, way, to] of addresses) {
      if (!page.url().endsWith(path)) await goWithin(page, path);
      await page.getByRole('heading', { name: title }).waitFor();
      // The last project that exists, not the one of the address.
      const rail = page.getByRole('navigation', { name: 'Main' });
      await rail.locator('a[href="/p/THERE/board"]').waitFor();
      await page.getByRole('main').getByRole('link', { name: way }).click();
      await page.waitForURL((url) => url.pathname === to);
    }
  }

  it('keeps the frame of the screens, says what is missing, and leads back', async () => {
    browser.mayNote('status of 404');
    const { page } = await browser.signedIn(OPEN[0]![0]);
    await areMissing(page, OPEN);
  });

  it('does so in elevated mode', async () => {
    browser.mayNote('status of 404');
    const { page } = await browser.signedIn(ELEVATED[0]![0]);
    await confirmPassword(page, OWNER.password);
    await areMissing(page, ELEVATED);
  });

  it('says so too when an issue is deleted while it is shown', async () => {
    const { body } = await service.owner.post<{ id: string; key: string }>('/api/projects/THERE/issues', {
      title: 'Goes away',
    });
    // The page may have asked for the gates of the issue, which is a filter that names nothing then; and React notes the error of a part
    // that is loaded for the first time, before the whole page says that the issue is gone.
    browser.mayNote('status of 404', 'status of 400', 'Problem: There is nothing at this address');
    const { page } = await browser.signedIn(`/i/${body.key}`);
    await page.getByRole('heading', { name: 'Goes away' }).waitFor();
    await service.owner.delete(`/api/projects/issues/${body.id}?confirm=true`);
    await page.getByRole('heading', { name: `There is no issue ${body.key}` }).waitFor();
  });
});
