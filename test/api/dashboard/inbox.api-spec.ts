import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { AttentionResponse } from '../../../src/gateway/attention/attention.response.js';
import { anIssue, aProject, createdBy } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  CountedKeys,
  dashboardBrowser,
  hasFocus,
  looks,
  noChromium,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { anIssueIn, read } from '../work/issues/issue-requests.js';
import { aFullInbox, beforeInboxes } from './inbox-world.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const rowOf = (page: Page, words: string) => page.locator('[data-cause]').filter({ hasText: words });
const press = (row: Locator, name: string) => row.getByRole('button', { name, exact: true }).click();
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'What is to be done' }).getByRole('link', { name });
const waiting = async (query = '') =>
  (await service.owner.get<Wire<AttentionResponse>>(`/api/attention?limit=1${query}`)).body.tabs;
const ask = (issue: { id: string }, fields: object) =>
  createdBy<{ id: string }>(service.owner, `/api/projects/issues/${issue.id}/gates`, fields);
/** What belongs to a world, and not to another one of the file. */
const within = (key: string) => `?projectId=${key}`;

inBrowser('Needs you', () => {
  const browser = dashboardBrowser(() => service);
  beforeAll(() => beforeInboxes(service));

  describe('with 105 causes', () => {
    it('is cleared by mouse without leaving the page', async () => {
      const { equal } = await aFullInbox(service, 'MOUSE');
      expect(await waiting()).toMatchObject({ decide: 14, review: 87, broken: 4, all: 105 });
      const { page, problems } = await browser.signedIn('/?tab=decide');
      expect(await accessibilityViolations(page)).toEqual([]);
      const together = rowOf(page, equal);
      await together.getByText('4 agents ask this').waitFor();
      await press(together, 'Yes');
      await together.waitFor({ state: 'detached' });
      for (const words of ['budget of agent beacon', 'budget of agent cinder']) {
        const row = rowOf(page, words);
        await row.getByText('$4.02 of $1.50 today').waitFor();
        await press(row, 'Extend…');
        await press(row, 'Extend');
        await row.waitFor({ state: 'detached' });
      }
      for (let left = 8; left > 0; left -= 1) {
        const rows = page.locator('[data-cause]');
        await until(async () => (await rows.count()) === left);
        await rows.first().getByRole('group', { name: 'Answers' }).getByRole('button').first().click();
      }
      await page.getByText('Nothing to decide').waitFor();
      await tab(page, 'Review').click();
      await page.locator('[data-cause]').first().getByRole('checkbox').click();
      await page
        .locator('[data-cause]')
        .nth(9)
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] });
      await page.getByText('10 chosen').waitFor();
      await page.getByRole('button', { name: 'Choose all 87' }).click();
      await page.getByRole('button', { name: /^Resolve 87/ }).click();
      await page.getByText('Nothing to review').waitFor();
      await tab(page, 'Broken').click();
      await until(async () => (await page.locator('[data-cause]').count()) === 4);
      for (const row of await page.locator('[data-cause]').getByRole('checkbox').all()) await row.click();
      await page.getByRole('button', { name: /^Snooze 4/ }).click();
      await page.getByRole('option', { name: /Tomorrow morning/ }).click();
      await page.getByText('Nothing is broken').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
      expect(await waiting()).toEqual({ decide: 0, review: 0, broken: 0, all: 0, snoozed: 4 });
      expect(problems).toEqual([]);
    });

    it('is cleared by keyboard alone without leaving the page', async () => {
      await service.owner.put('/api/attention/snoozes', { items: await brokenNow(), until: null });
      await service.sql(`UPDATE installed_servers SET status = 'disabled'`);
      await service.sql('UPDATE agents SET retired_at = now()');
      await aFullInbox(service, 'KEYS');
      expect(await waiting()).toMatchObject({ decide: 14, review: 87, broken: 4, all: 105 });
      const { page, problems } = await browser.signedIn('/?tab=decide');
      const keys = new CountedKeys(page);
      const rows = page.locator('[data-cause]');
      await rows.first().waitFor();
      for (let left = 11; left > 0; left -= 1) {
        await until(async () => (await rows.count()) === left);
        const first = rows.first();
        await keys.pressUntil('j', rows.locator('visible=true').first());
        if ((await first.getByText('is used up').count()) === 0) {
          await keys.press('1');
          continue;
        }
        await keys.press('e');
        const extend = first.getByRole('button', { name: 'Extend', exact: true });
        await keys.pressUntil('Tab', extend);
        await keys.press('Enter');
      }
      await page.getByText('Nothing to decide').waitFor();
      await keys.pressUntil('Shift+Tab', tab(page, 'Review'));
      await keys.press('Enter');
      await until(async () => (await rows.count()) > 50);
      await keys.press('j');
      await keys.press('ControlOrMeta+a');
      await page.getByText('87 chosen').waitFor();
      await keys.press('r');
      await page.getByText('Nothing to review').waitFor();
      await keys.pressUntil('Shift+Tab', tab(page, 'Broken'));
      await keys.press('Enter');
      await until(async () => (await rows.count()) === 4);
      for (const key of ['j', 'x', 'j', 'j', 'j', 'X', 'z']) await keys.press(key);
      await page.locator('[role="combobox"]:focus').waitFor();
      await page.keyboard.type('tomorrow');
      await keys.press('Enter');
      await page.getByText('Nothing is broken').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
      expect(await waiting()).toMatchObject({ all: 0, snoozed: 4 });
      expect(keys.pressed).toBeLessThan(100);
      expect(problems).toEqual([]);
    });

    const brokenNow = async () =>
      (
        await service.owner.get<Wire<AttentionResponse>>('/api/attention?snoozed=true&limit=1000')
      ).body.items.map(({ id }) => id);
  });

  it.each(looks)(
    'shows each kind of row and its forms without a violation: %s, %s, %i',
    async (scheme, forced, width) => {
      const project = await aProject(service.owner);
      const asked = await anIssue(service.owner, project);
      await ask(asked, { question: 'Which one?', options: ['This', 'That'] });
      const review = await anIssueIn(service.owner, project, 'PendingReview');
      const { page } = await browser.signedIn(`/${within(project.key)}`, undefined, {
        ...{ colorScheme: scheme, forcedColors: forced, viewport: { width, height: 900 } },
      });
      const row = rowOf(page, review.key);
      await press(row, 'Send back…');
      await row.getByLabel(/^Why /).waitFor();
      await row.getByRole('checkbox').click();
      await page.getByText('1 chosen').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await press(rowOf(page, 'Which one?'), 'Snooze');
      await page.getByRole('option', { name: /Another time/ }).click();
      await page.getByLabel('Until').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );

  it('sends a review back with a reason, which the agent reads as a comment', async () => {
    const project = await aProject(service.owner);
    const review = await anIssueIn(service.owner, project, 'PendingReview');
    const { page } = await browser.signedIn(`/${within(project.key)}`);
    const row = rowOf(page, review.key);
    await row.waitFor();
    for (const key of ['j', 'e']) await page.keyboard.press(key);
    await row.locator('textarea:focus').fill('The second test is missing.');
    // A form that is closed gives the focus back to its row, and keeps what was typed.
    await page.keyboard.press('Escape');
    await until(() => row.evaluate(hasFocus));
    await page.keyboard.press('2');
    await row.locator('textarea:focus').waitFor();
    await page.keyboard.press('Control+Enter');
    await row.waitFor({ state: 'detached' });
    expect(await read(service.owner, review)).toMatchObject({ status: 'InProgress' });
    const comments = await service.owner.get(`/api/projects/issues/${review.id}/comments`);
    expect(comments.body).toMatchObject([{ content: 'The second test is missing.' }]);
  });

  it('answers several questions in own words, and names those that were refused, with the reason', async () => {
    browser.mayNote('status of 409');
    const project = await aProject(service.owner);
    const [first, second] = [await anIssue(service.owner, project), await anIssue(service.owner, project)];
    await ask(first, { question: 'How long?' });
    const gate = await ask(second, { question: 'How wide?' });
    const { page } = await browser.signedIn(`/${within(project.key)}`);
    for (const words of ['How long?', 'How wide?']) await rowOf(page, words).getByRole('checkbox').click();
    await page.getByRole('button', { name: /^Answer 2/ }).click();
    await page.route('**/gates/*/answer', async (route) => {
      // Another person is faster with one of them.
      if (route.request().url().includes(gate.id))
        await service.owner.post(`/api/projects/gates/${gate.id}/answer`, { text: 'Two metres.' });
      await route.continue();
    });
    await page.getByLabel('One answer in your own words').fill('As it is.');
    await page.getByRole('button', { name: 'Send to 2' }).click();
    const refused = page.getByRole('alert', { name: 'Not done' });
    await refused.getByText(second.key).waitFor();
    expect(await refused.textContent()).toContain('1 was not done');
    await rowOf(page, 'How long?').waitFor({ state: 'detached' });
    expect(await read(service.owner, first)).toMatchObject({ status: 'Open' });
  });

  it('keeps filters, tab and snoozed rows in the address, and brings a snoozed row back', async () => {
    const [project, other] = [await aProject(service.owner), await aProject(service.owner)];
    const [mine, foreign] = [
      await anIssueIn(service.owner, project, 'PendingReview'),
      await anIssueIn(service.owner, other, 'PendingReview'),
    ];
    const { page } = await browser.signedIn(`/?tab=review&projectId=${other.key}`);
    await rowOf(page, foreign.key).waitFor();
    await page.getByLabel('Project', { exact: true }).selectOption(project.key);
    await rowOf(page, foreign.key).waitFor({ state: 'detached' });
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('tab'), searchParams.get('projectId')]).toEqual(['review', project.key]);
    await press(rowOf(page, mine.key), 'Snooze');
    await page.getByRole('option', { name: /In 1 hour/ }).click();
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Snoozed 1' }).click();
    await rowOf(page, mine.key)
      .getByText(/^Back /)
      .waitFor();
    await page.reload();
    await press(rowOf(page, mine.key), 'Change when it comes back');
    await page.getByRole('option', { name: 'Bring it back now' }).click();
    await rowOf(page, mine.key).waitFor({ state: 'detached' });
    await tab(page, 'Review').click();
    await rowOf(page, mine.key).waitFor();
  });

  it('keeps a text half typed when another person answers, and says what they answered', async () => {
    const project = await aProject(service.owner);
    const gate = await ask(await anIssue(service.owner, project), { question: 'Which colour?' });
    const { page } = await browser.signedIn(`/${within(project.key)}`);
    await press(rowOf(page, 'Which colour?'), 'Answer…');
    await page.getByLabel('Answer in your own words').fill('Probably a warm');
    await service.owner.post(`/api/projects/gates/${gate.id}/answer`, { text: 'Blue' });
    const kept = page.getByRole('status', { name: 'Closed meanwhile: Which colour?' });
    await kept.getByText(/answered: Blue\./).waitFor();
    await kept.getByText('Probably a warm').waitFor();
  });

  it('shows a Viewer what waits for people, without a button or a count that alarms', async () => {
    const project = await aProject(service.owner);
    await ask(await anIssue(service.owner, project), { question: 'Who may?', options: ['All'] });
    await anIssueIn(service.owner, project, 'PendingReview');
    const { email } = await aPerson(service, 'Viewer');
    const { page, problems } = await browser.signedIn(`/${within(project.key)}`, {
      email,
      password: PASSWORD,
    });
    await page.getByRole('heading', { name: 'Waits for people', level: 1 }).waitFor();
    await rowOf(page, 'Who may?').waitFor();
    expect(await page.locator('[data-cause]').getByRole('button').count()).toBe(0);
    expect(await page.locator('[data-cause]').getByRole('checkbox').count()).toBe(0);
    const entry = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Waits for people' });
    expect(await entry.textContent()).toBe('Waits for people');
    for (const key of ['j', '1', 'x', 'z']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
