import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import { accessibilityViolations, dashboardBrowser, noChromium, tabTo } from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('acting on issues', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'ACT', name: 'Acting' });
  });

  const issueOf = async ({ id }: { id: string }) =>
    (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;
  const becomes = (issue: Issue, status: string) =>
    until(async () => (await issueOf(issue)).status === status);
  const card = (page: Page, { key }: Issue) => page.locator(`[data-issue="${key}"]`);
  const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const chosen = async (page: Page, words: string) => {
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type(words);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  };

  it('unblocks an issue by keyboard alone, from the sign-in on', async () => {
    const { page, problems } = await browser.open('/login?next=/p/ACT/board');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(OWNER.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Acting', level: 1 }).waitFor();
    const create = async (title: string, blockedBy: string): Promise<Issue> => {
      await page.keyboard.press('c');
      await page.getByLabel('Title').waitFor();
      await page.keyboard.type(title);
      if (blockedBy !== '') {
        await tabTo(page, page.getByRole('button', { name: 'Choose an issue' }));
        await page.keyboard.press('Enter');
        await chosen(page, blockedBy);
        await page.getByRole('listitem').getByText(blockedBy).waitFor();
      }
      await tabTo(page, page.getByRole('button', { name: 'Create issue' }));
      await page.keyboard.press('Enter');
      // Keys are not shortcuts while the form is shown.
      await until(async () => (await page.getByRole('dialog').count()) === 0);
      const { body } = await service.owner.get<Issue[]>('/api/projects/ACT/issues?sort=-createdAt&limit=1');
      return body[0]!;
    };
    const first = await create('Typed first', '');
    const second = await create('Typed second', first.key);
    expect(second).toMatchObject({ title: 'Typed second', status: 'WaitingOnDependency' });
    await column(page, 'Waiting').getByText(`Waits for ${first.key}`).waitFor();
    await card(page, first).waitFor();
    await page.keyboard.press('j');
    await until(async () => (await card(page, first).locator('a:focus').count()) === 1);
    await page.keyboard.press('m');
    await chosen(page, 'Resolve');
    await becomes(second, 'Open');
    await column(page, 'Open').getByText('Typed second').waitFor();
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('moves a card by dragging it, and only to a column that the service accepts', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Dragged' });
    const waiting = await anIssue(service.owner, project, { title: 'Held', blockedByIssueId: issue.id });
    const { page, problems } = await browser.signedIn('/p/ACT/board');
    await card(page, waiting).dragTo(column(page, 'In progress'));
    await card(page, issue).dragTo(column(page, 'Resolved'));
    await becomes(issue, 'Resolved');
    await column(page, 'Resolved').getByText('Dragged').waitFor();
    await column(page, 'Open').getByText('Held').waitFor();
    expect((await issueOf(waiting)).status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('does by the menu of a card what dragging does', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Moved by its menu' });
    const { page, problems } = await browser.signedIn('/p/ACT/board');
    await page.getByRole('button', { name: `Move ${issue.key}`, exact: true }).click();
    await page.getByRole('option', { name: /Start/ }).click();
    await becomes(issue, 'InProgress');
    await column(page, 'In progress').getByText('Moved by its menu').waitFor();
    expect(problems).toEqual([]);
  });

  it('closes several issues of the list at once', async () => {
    const issues = [
      await anIssue(service.owner, project, { title: 'Bulk one' }),
      await anIssue(service.owner, project, { title: 'Bulk two' }),
    ];
    const { page, problems } = await browser.signedIn('/p/ACT/list?q=bulk');
    for (const { key } of issues) await page.getByRole('checkbox', { name: `Choose ${key}` }).check();
    await page.getByRole('button', { name: 'Close 2' }).click();
    for (const issue of issues) await becomes(issue, 'Closed');
    await page.getByText('2 now closed').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('shows what one browser changes in another, without a reload', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Seen by two' });
    const one = await browser.signedIn(`/i/${issue.key}`);
    const two = await browser.signedIn('/p/ACT/board');
    await column(two.page, 'Open').getByText('Seen by two').waitFor();
    await one.page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await column(two.page, 'Resolved').getByText('Seen by two').waitFor();
    await two.page.goto(`/i/${issue.key}`);
    await two.page.getByRole('button', { name: 'Reopen' }).click();
    await one.page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    expect([...one.problems, ...two.problems]).toEqual([]);
  });

  it('shows both versions when a text changed while it was edited, and saves the one that is chosen', async () => {
    browser.mayNote('status of 412');
    const issue = await anIssue(service.owner, project, { title: 'First text' });
    const { page } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Title').fill('My text');
    await service.owner.put(`/api/projects/issues/${issue.id}`, { title: 'Their text' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'This issue changed while you wrote' }).waitFor();
    await page.getByRole('region', { name: 'Theirs', exact: true }).getByText('Their text').waitFor();
    await page.getByRole('region', { name: 'Yours, not saved', exact: true }).getByText('My text').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect((await issueOf(issue)).title).toBe('Their text');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('heading', { name: 'My text', level: 1 }).waitFor();
    expect((await issueOf(issue)).title).toBe('My text');
  });

  it('says that it reconnects, and shows afterwards what it missed', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Changed meanwhile' });
    browser.mayNote('net::ERR_FAILED', '/api/events');
    const { page } = await browser.open('/login');
    await page.route('**/api/events*', (route) => route.abort());
    await page.goto('/login?next=/p/ACT/board');
    await page.getByLabel('E-mail').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Reconnecting.').waitFor();
    await column(page, 'Open').getByText('Changed meanwhile').waitFor();
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'Resolved' });
    await page.unroute('**/api/events*');
    await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
    await column(page, 'Resolved').getByText('Changed meanwhile').waitFor();
  });

  it('draws the graph around an issue, walks it by arrow keys, and lists the same', async () => {
    const root = await anIssue(service.owner, project, { title: 'Graph root' });
    const middle = await anIssue(service.owner, project, {
      title: 'Graph middle',
      blockedByIssueId: root.id,
    });
    const leaf = await anIssue(service.owner, project, { title: 'Graph leaf', blockedByIssueId: middle.id });
    const { page, problems } = await browser.signedIn(`/p/ACT/graph?focus=${leaf.key}`);
    const node = ({ id }: Issue) => page.locator(`[data-node="${id}"]`);
    await node(leaf).focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator(`[data-node="${middle.id}"]:focus`).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Graph root', level: 1 }).waitFor();
    await page.goBack();
    const list = page.getByRole('region', { name: `What ${leaf.key} waits for, as a list` });
    await list.getByRole('link', { name: 'Graph root' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('offers a Viewer no drag, no menu and no key that would be refused', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Only read' });
    const { email } = await aPerson(service, 'Viewer');
    const { page, problems } = await browser.signedIn('/p/ACT/board', { email, password: PASSWORD });
    await card(page, issue).waitFor();
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0);
    expect(await page.locator('[draggable="true"]').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
