import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anIssue, aProject, type Issue } from '../../support/builders.js';
import { dashboardBrowser, noChromium } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

/** The code and styles of a screen that was not opened yet. */
const ofAgents = /\/assets\/agents[.\w-]*\.(js|css)/;
const NEVER_READ = /preload CSS|dynamically imported|page_error|\/assets\//;

inBrowser('a dashboard whose service goes away', () => {
  const browser = dashboardBrowser(() => service);
  let issue: Issue;
  beforeAll(async () => {
    const project = await aProject(service.owner, { key: 'AWAY', name: 'Away' });
    issue = await anIssue(service.owner, project, { title: 'Stays open' });
  });

  /** Opens an issue, and writes a comment that is not sent. */
  async function writing(): Promise<Page> {
    browser.mayNote('net::ERR_', 'Failed to fetch', 'failed', 'status of 404', 'was not loaded');
    const { page } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByLabel('Comment', { exact: true }).fill('Half a thought');
    return page;
  }
  const toAgents = (page: Page) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click();
  const agents = (page: Page) => page.getByRole('heading', { name: 'Agents', level: 1 });
  const textOf = (page: Page) => page.evaluate<string>('document.body.innerText');

  it('shows a screen that was not loaded yet by itself once the service is back, with its styles', async () => {
    const page = await writing();
    const loads: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()));
    await page.route('**/*', (route) => route.abort());
    await toAgents(page);
    await page.getByText('This screen is not loaded yet').waitFor();
    expect(await textOf(page)).not.toMatch(NEVER_READ);
    // The rail stays: one can go on to what is there.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work' }).waitFor();
    await page.unroute('**/*');
    await agents(page).waitFor();
    const styles = await page.evaluate<string[]>(
      `[...document.styleSheets].map(({ href }) => href).filter((href) => ${ofAgents}.test(href))`,
    );
    expect(styles.length).toBeGreaterThan(0);
    expect(loads).toEqual([]);
    await page.goBack();
    await until(
      async () => (await page.getByLabel('Comment', { exact: true }).inputValue()) === 'Half a thought',
    );
  });

  it('loads the page again, once, where an upgrade has renamed the files of a screen, and keeps what was typed', async () => {
    const page = await writing();
    let isUpgraded = false;
    page.on('request', (request) => {
      isUpgraded ||= request.isNavigationRequest();
    });
    await page.route(ofAgents, (route) => (isUpgraded ? route.continue() : route.fulfill({ status: 404 })));
    await toAgents(page);
    await agents(page).waitFor();
    expect(isUpgraded).toBe(true);
    await page.goBack();
    await until(
      async () => (await page.getByLabel('Comment', { exact: true }).inputValue()) === 'Half a thought',
    );
  });

  it('says so where the files stay missing, and does not load the page again and again', async () => {
    const page = await writing();
    let loads = 0;
    page.on('request', (request) => {
      loads += Number(request.isNavigationRequest());
    });
    await page.route(ofAgents, (route) => route.fulfill({ status: 404 }));
    await toAgents(page);
    await page.getByText('This screen is missing on the service').waitFor();
    expect(await textOf(page)).not.toMatch(NEVER_READ);
    expect(loads).toBe(1);
    await page.unroute(ofAgents);
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await agents(page).waitFor();
  });

  it('keeps the screen where only a part of it could not be loaded', async () => {
    const page = await writing();
    await page.route('**/*', (route) => route.abort());
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Stays open' }).click();
    await page.keyboard.press('c');
    await page.getByText('This part of the screen is not loaded yet').waitFor();
    await page.getByRole('heading', { name: 'Stays open' }).waitFor();
    await page.unroute('**/*');
    await page.getByRole('dialog').getByLabel('Title').waitFor();
  });

  it('opens the first screen by itself where the service was away when the page asked who is signed in', async () => {
    browser.mayNote('net::ERR_', 'failed', 'cannot be reached');
    const { page } = await browser.signedIn(`/i/${issue.key}`);
    await page.route('**/api/auth/me', (route) => route.abort());
    await page.reload();
    await page.getByText('This screen is not loaded yet').waitFor();
    await page.unroute('**/api/auth/me');
    await page.getByRole('heading', { name: 'Stays open' }).waitFor();
  });
});
