import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAgent, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  hasFocus,
  inEachLook,
  noChromium,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('the palette', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let vault: Issue;
  let refunds: Issue;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'LOOK', name: 'Looked at' });
    const other = await aProject(service.owner, { key: 'ELSE', name: 'Elsewhere' });
    vault = await anIssue(service.owner, other, { title: 'Rotate the master key of the card vault' });
    refunds = await anIssue(service.owner, project, { title: 'Describe idempotency of refunds' });
    await anIssue(service.owner, project, { title: 'Something else', description: 'of the card vault' });
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' });
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
  /** The name of the option that Enter would choose. */
  const pointed = async (page: Page) => {
    const id = await field(page).getAttribute('aria-activedescendant');
    return id === null ? null : page.locator(`[id="${id}"]`).textContent();
  };
  const points = (page: Page, words: string) =>
    until(async () => (await pointed(page))?.includes(words) === true);

  it('opens by Control+k or /, finds issues of all projects, and opens the first by Enter', async () => {
    const { page, problems } = await browser.signedIn('/activity');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    for (const [key, words, issue] of [
      ['Control+k', 'card vault', vault],
      ['/', 'idempot', refunds],
      ['Control+k', vault.key.toLowerCase(), vault],
    ] as const) {
      await page.keyboard.press(key);
      await field(page).fill(words);
      await points(page, issue.title);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: issue.title }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  it('opens what Enter asked for before the service had answered, and nothing of an answer that came too late', async () => {
    const { page, problems } = await browser.signedIn('/activity');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    const held: (() => Promise<void>)[] = [];
    await page.route(/\/api\/projects\/issues\?.*q=/, async (route) => {
      if (route.request().url().includes('card')) held.push(() => route.continue());
      else await route.continue();
    });
    await page.keyboard.press('/');
    await field(page).fill('card');
    await until(() => held.length === 1);
    await field(page).fill('refunds');
    await points(page, refunds.title);
    // The request was given up, so its answer may reach no reader.
    await held[0]!().catch(() => undefined);
    expect(await option(page, /vault/).count()).toBe(0);
    await field(page).fill('card vault');
    await page.keyboard.press('Enter');
    await until(() => held.length === 2);
    await held[1]!();
    await page.getByRole('heading', { level: 1, name: vault.title }).waitFor();
    expect(problems).toEqual([]);
  });

  it('halts all agents and lets them go on, from any screen', async () => {
    const { page, problems } = await browser.signedIn('/activity');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('halt');
    await points(page, 'Halt all agents');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Halt all agents?' }).waitFor();
    await page.keyboard.type('Looking at a leak');
    await page.keyboard.press('Enter');
    await page.getByText('All agents are halted.').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('go on');
    await points(page, 'Let agents go on');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Let agents go on' }).last().click();
    await page.getByText('All agents are halted.').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('finds agents and projects, and offers no command that the person may not use', async () => {
    const agent = await anAgent(service.owner, { name: 'Ember the tester' });
    const viewer = await aPerson(service, 'Viewer');
    const { page, problems } = await browser.signedIn('/p/LOOK/board', {
      email: viewer.email,
      password: PASSWORD,
    });
    await page.getByRole('heading', { level: 1, name: project.name }).waitFor();
    await page.keyboard.press('/');
    await field(page).fill('looked');
    await points(page, project.name);
    for (const command of ['halt', 'new agent', 'install']) {
      await field(page).fill(command);
      await page.getByText(`Nothing matches “${command}”`).waitFor();
    }
    await field(page).fill('ember');
    await points(page, agent.name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: agent.name }).waitFor();
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([]);
  });

  it('is moved through by arrow keys while the field keeps the focus, and gives it back', async () => {
    const { page, problems } = await browser.signedIn('/p/LOOK/list');
    const row = page.getByRole('link', { name: refunds.title });
    await row.focus();
    await page.keyboard.press('/');
    await field(page).fill('card vault');
    await points(page, vault.title);
    await page.keyboard.press('ArrowDown');
    await points(page, 'Something else');
    expect(await field(page).evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await points(page, 'Show all matches in Looked at');
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await until(() => row.evaluate(hasFocus));
    await page.keyboard.press('f');
    await page.locator('[aria-label="Words in title or description"]:focus').waitFor();
    expect(problems).toEqual([]);
  });

  it('opens by a button at the width of a phone', async () => {
    const { page, problems } = await browser.signedIn('/', undefined, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('button', { name: 'Search' }).click();
    await field(page).fill('idempot');
    await option(page, new RegExp(refunds.title)).click();
    await page.getByRole('heading', { level: 1, name: refunds.title }).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await field(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('breaks no rule of WCAG 2.2 AA in any look', async () => {
    const { page } = await browser.signedIn('/p/LOOK/board');
    const calm = () =>
      inEachLook(page, async (look) => {
        expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
      });
    await page.getByRole('button', { name: 'Search' }).click();
    await field(page).waitFor();
    await calm();
    await field(page).fill('card vault');
    await points(page, vault.title);
    await calm();
    await field(page).fill('zzzz');
    await page.getByText('Nothing matches “zzzz”').waitFor();
    await calm();
  });
});
