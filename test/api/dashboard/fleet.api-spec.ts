import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAgent, anIssue, aProject, createdBy, type Issue, type NewAgent } from '../../support/builders.js';
import { aPerson, PASSWORD, withKey } from '../../support/callers.js';
import {
  accessibilityViolations,
  CountedKeys,
  dashboardBrowser,
  goWithin,
  looks,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { pickUp, putHeld, takeTurn } from '../gateway/heartbeat-requests.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const MANY = 300;

inBrowser('the fleet on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let ember: NewAgent;
  let idle: NewAgent;
  let done: Issue;
  let next: Issue;
  beforeAll(async () => {
    const project = await aProject(service.owner, { key: 'FLEET', name: 'Fleet' });
    ember = await anAgent(service.owner, { name: 'ember', description: 'Writes the ledger' });
    idle = await anAgent(service.owner, { name: 'juno' });
    await anAgent(service.owner, { name: 'zephyr' });
    await withKey(service, idle.key).post('/api/agents/me/heartbeat', { capacity: 0 });
    await service.owner.put(`/api/agents/${ember.id}/budget`, { costMicros: 5_000_000, period: 'day' });
    const worker = withKey(service, ember.key);
    const mine = (title: string) => anIssue(service.owner, project, { title, assignedAgentId: ember.id });
    done = await mine('Round refunds');
    const held = await pickUp(worker, done);
    const report = { reportId: randomUUID(), inputTokens: 1_200, outputTokens: 300, costMicros: 4_020_000 };
    await takeTurn(worker, { ...held, usage: [report] });
    await putHeld(worker, held, { status: 'Resolved' });
    next = await mine('Import settlement files');
    const { issueId, token } = await pickUp(worker, next);
    await worker.put(`/api/projects/issues/${issueId}/run`, {
      token,
      output: 'Starting.\nnpm test: 212 passed',
    });
    const asking = await mine('Name the report');
    await createdBy(worker, `/api/projects/issues/${asking.id}/gates`, { question: 'Which name?' });
    await until(async () => {
      const { body } = await service.owner.get<{ sums: { usage: { turns: number } } }>('/api/fleet');
      return body.sums.usage.turns === 1;
    });
  });

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  const namesIn = (page: Page) => page.locator('[data-agent] a[data-name]').allTextContents();

  it('says what an agent did today, and for how much, one click from the agents', async () => {
    const { page, problems } = await browser.signedIn('/agents');
    await page.getByRole('link', { name: 'ember', exact: true }).click();
    const sums = page.getByLabel(/^Since /);
    await sums.getByText('$4.02', { exact: true }).waitFor();
    await sums.getByText('$4.02 of $5.00 per day').waitFor();
    const line = page.getByRole('row').filter({ hasText: 'Round refunds' });
    await line.getByText('$4.02').waitFor();
    expect(await sums.innerText()).toMatch(/Picked up\s+2[\s\S]*Finished\s+1[\s\S]*Asked\s+1/);
    await page.getByRole('region', { name: 'Asked' }).getByText('Which name?').waitFor();
    await line.getByRole('link', { name: done.key }).click();
    await page.getByRole('heading', { name: 'Round refunds', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows in a row the state, the issue with its last line, figures, and what a person is asked', async () => {
    const { page } = await browser.signedIn('/agents');
    const line = row(page, 'ember');
    await line.getByText('Working', { exact: true }).waitFor();
    await line.getByRole('link', { name: next.key }).waitFor();
    await line.getByText('npm test: 212 passed').waitFor();
    await line.getByText('Asks', { exact: true }).waitFor();
    await line.getByLabel('Budget: $4.02 of $5.00 per day').waitFor();
    await line.getByRole('img', { name: /^1 turn or call in 24 hours/ }).waitFor();
    await row(page, 'juno').getByText('It takes work on its next heartbeat.').waitFor();
    await row(page, 'zephyr').getByText('Never connected').waitFor();
    expect((await line.boundingBox())!.height).toBe(44);
    await page.evaluate(`localStorage.setItem('awp.density', 'compact')`);
    await page.reload();
    await line.getByText('Working', { exact: true }).waitFor();
    expect((await line.boundingBox())!.height).toBe(36);
    const sums = page.getByLabel('All agents, today');
    expect(await sums.innerText()).toMatch(/Cost today\s+\$4\.02[\s\S]*At work\s+1\s+of 3 agents/);
  });

  it('narrows the list by the sums, states and words, in the address', async () => {
    const { page } = await browser.signedIn('/agents');
    await page.getByRole('link', { name: '1 at work' }).click();
    await page.getByText('1 of 3 agents').waitFor();
    expect(await namesIn(page)).toEqual(['ember']);
    expect(page.url()).toContain('state=at-work');
    await page.getByRole('link', { name: '1 at work' }).click();
    await page.getByText('3 agents', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('agent_never_seen');
    await page.getByText('1 of 3 agents').waitFor();
    expect(await namesIn(page)).toEqual(['zephyr']);
    await page.getByLabel('Find an agent').fill('nothing of that');
    await page.getByText('No agent matches the filter; 3 agents without it.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByLabel('Find an agent').fill('settlement');
    await page.getByText('1 of 3 agents').waitFor();
    await page.reload();
    await page.getByText('1 of 3 agents').waitFor();
    expect(await page.getByLabel('Find an agent').inputValue()).toBe('settlement');
  });

  it('puts the agents in order of any column, and says so', async () => {
    const { page } = await browser.signedIn('/agents');
    await row(page, 'ember').waitFor();
    expect(await namesIn(page)).toEqual(['ember', 'juno', 'zephyr']);
    await page.getByRole('button', { name: 'Last heartbeat' }).click();
    await page
      .getByRole('columnheader', { name: 'Last heartbeat' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    expect((await namesIn(page)).at(-1)).toBe('zephyr');
    expect(page.url()).toContain('sort=-heartbeat');
    await page.getByRole('button', { name: 'Cost today' }).click();
    await until(async () => (await namesIn(page))[0] === 'ember');
    await page.getByRole('button', { name: 'Cost today' }).click();
    await until(async () => (await namesIn(page)).at(-1) === 'ember');
  });

  it('chooses a range and changes several agents by keyboard alone', async () => {
    const { page, problems } = await browser.signedIn('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const keys = new CountedKeys(page);
    for (const key of ['g', 'a']) await keys.press(key);
    await row(page, 'juno').waitFor();
    await keys.pressUntil('j', page.getByRole('link', { name: 'juno', exact: true }));
    await keys.press('x');
    await page.getByText('1 chosen').waitFor();
    await keys.pressUntil('j', page.getByRole('link', { name: 'zephyr', exact: true }));
    await keys.press('X');
    await page.getByText('2 chosen').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Set a budget' }));
    await keys.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'A budget for 2 agents' });
    await dialog.waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Set the budget' }));
    await keys.press('Enter');
    await dialog.getByText('Give at least one limit.').waitFor();
    await page.keyboard.press('Shift+Tab');
    await dialog.getByLabel('Cost, in US dollars').focus();
    await page.keyboard.type('2.5');
    await keys.press('Enter');
    await page.getByText('2 agents have the budget').waitFor();
    const { body } = await service.owner.get(`/api/agents/${idle.id}/budget`);
    expect(body).toMatchObject({ costMicros: 2_500_000, period: 'day' });
    expect(await page.getByText('chosen').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('disables and enables several, a range by Shift and a click', async () => {
    const { page } = await browser.signedIn('/agents');
    await page.getByLabel('Choose juno').click();
    await page.getByLabel('Choose zephyr').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Disable 2' }).click();
    await page.getByText('2 agents are disabled').waitFor();
    await row(page, 'juno').getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('link', { name: '2 stopped' }).click();
    await page.getByText('2 of 3 agents').waitFor();
    await page.getByLabel('Choose all agents that are listed').click();
    await page.getByRole('button', { name: 'Enable 2' }).click();
    await page.getByText('2 agents are enabled').waitFor();
    await page.getByText('No agent matches the filter').waitFor();
  });

  it('says which changes were refused and why, and keeps those agents chosen', async () => {
    browser.mayNote('status of 403');
    const admin = await aPerson(service, 'Admin');
    const { page } = await browser.signedIn('/agents', { email: admin.email, password: PASSWORD });
    await page.getByLabel('Choose all agents that are listed').click();
    await page.getByText('3 chosen').waitFor();
    await service.owner.put(`/api/users/${admin.id}`, { role: 'Editor' });
    await page.getByRole('button', { name: 'Disable 3' }).click();
    const refusals = page.getByRole('group', { name: 'Change the chosen agents' });
    await refusals.getByText('3 agents were not changed').waitFor();
    expect(await refusals.getByRole('listitem').allInnerTexts()).toEqual(
      ['ember', 'juno', 'zephyr'].map((name) => expect.stringMatching(new RegExp(`^${name}: .*Admin`))),
    );
    await page.getByText('3 chosen').waitFor();
  });

  it('offers a Viewer nothing to choose and no budget', async () => {
    const { email } = await aPerson(service, 'Viewer');
    const { page } = await browser.signedIn('/agents', { email, password: PASSWORD });
    await row(page, 'ember').getByText('$4.02').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  it.each(looks)(
    'has no accessibility violation (%s, forced colours %s, %i pixels)',
    async (colorScheme, forcedColors, width) => {
      const viewport = { width, height: 900 };
      const { page } = await browser.signedIn('/agents', undefined, { colorScheme, forcedColors, viewport });
      await page.getByLabel('Choose juno').click();
      await page.getByText('1 chosen').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await goWithin(page, `/agents/${ember.id}`);
      await page.getByRole('region', { name: 'Asked' }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );

  it(`has of ${MANY} agents only those near the view in the document, and leads the keys on to the others`, async () => {
    await service.sql(
      `INSERT INTO agents (id, name) SELECT gen_random_uuid(), 'many ' || n FROM generate_series(1, $1::int) AS n`,
      [MANY],
    );
    const { page } = await browser.signedIn('/agents?q=many');
    await page.getByText(`${MANY} of ${MANY + 3} agents`).waitFor();
    const drawn = () => page.locator('[data-agent]').count();
    expect(await drawn()).toBeLessThan(60);
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('j');
    await until(() => page.evaluate<boolean>(`document.activeElement.textContent === 'many 60'`));
    const last = page.getByRole('link', { name: `many ${MANY}`, exact: true });
    // The last key may still be scrolling to its agent.
    await until(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return last.isVisible();
    });
    expect(await drawn()).toBeLessThan(60);
  });
});
