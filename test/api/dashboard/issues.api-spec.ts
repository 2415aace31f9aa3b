import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aComment,
  aLink,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../support/builders.js';
import { aPerson, PASSWORD, withKey } from '../../support/callers.js';
import {
  accessibilityViolations,
  CountedKeys,
  dashboardBrowser,
  goWithin,
  inEachLook,
  noChromium,
  signIn,
  hasFocus,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('issues on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let board: string;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'PAY', name: 'Payments' });
    board = '/p/PAY/board';
  });

  const issueOf = async (id: string) => (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;

  it('shows each issue in the column of its status, and what changes without a reload', async () => {
    const agent = await anAgent(service.owner);
    const issue = await anIssue(service.owner, project, {
      title: 'Moves by itself',
      assignedAgentId: agent.id,
    });
    const { page, problems } = await browser.signedIn(board);
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await column('Open').getByText('Moves by itself').waitFor();
    await withKey(service, agent.key).post('/api/agents/me/heartbeat', { capacity: 1 });
    await column('In progress').getByText('Moves by itself').waitFor();
    await anIssue(service.owner, project, { title: 'Comes while one looks' });
    await column('Open').getByText('Comes while one looks').waitFor();
    expect(issue.key).toMatch(/^PAY-/);
    expect(problems).toEqual([]);
  });

  it('finds why an issue is stuck and unblocks it by a review of the root', async () => {
    const root = await anIssue(service.owner, project, { title: 'The root' });
    const stuck = await anIssue(service.owner, project, {
      title: 'The stuck one',
      blockedByIssueId: root.id,
    });
    await service.owner.put(`/api/projects/issues/${root.id}`, { status: 'InProgress' });
    await service.owner.put(`/api/projects/issues/${root.id}`, { status: 'PendingReview' });
    const { page, problems } = await browser.signedIn(board);
    await page.getByRole('link', { name: 'The stuck one' }).click();
    await page.getByRole('heading', { name: 'Why is this stuck?' }).waitFor();
    await page.getByRole('link', { name: `Review ${root.key}`, exact: true }).click();
    await page.getByRole('heading', { name: 'The root', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText(`${root.key} is now resolved`).waitFor();
    expect((await issueOf(stuck.id)).status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('takes two presses from the sign-in to an unblocked issue', async () => {
    const root = await anIssue(service.owner, project, { title: 'Waits for a person' });
    const stuck = await anIssue(service.owner, project, { title: 'Waits too', blockedByIssueId: root.id });
    await service.owner.put(`/api/projects/issues/${root.id}`, { status: 'InProgress' });
    await service.owner.put(`/api/projects/issues/${root.id}`, { status: 'PendingReview' });
    const { page } = await browser.open('/');
    await page.evaluate(
      `addEventListener('click', () => (window.presses = (window.presses ?? 0) + 1), true)`,
    );
    await signIn(page, OWNER.email, OWNER.password);
    const review = page.locator('[data-cause]').filter({ hasText: root.key });
    await review.getByRole('button', { name: 'Resolve', exact: true }).click();
    await until(async () => (await issueOf(stuck.id)).status === 'Open');
    expect(await page.evaluate<number>('window.presses')).toBe(2);
  });

  it('creates two issues, links them, and finishes one, by mouse', async () => {
    const { page, problems } = await browser.signedIn(board);
    for (const title of ['Linked first', 'Linked second']) {
      await page.getByRole('button', { name: 'New issue' }).click();
      await page.getByLabel('Title').fill(title);
      await page.getByRole('button', { name: 'Create issue' }).click();
      await page.getByRole('link', { name: title }).waitFor();
    }
    const keyOf = async (title: string) =>
      (await page.locator('[data-issue]').filter({ hasText: title }).getAttribute('data-issue'))!;
    const [first, second] = [await keyOf('Linked first'), await keyOf('Linked second')];
    await page.getByRole('link', { name: 'Linked second' }).click();
    await page.getByRole('region', { name: 'Links' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Choose an issue' }).click();
    await page.getByRole('combobox').fill(first);
    await page.getByRole('option', { name: first }).click();
    await page.getByRole('button', { name: 'Add link' }).click();
    await page.getByRole('heading', { name: 'Why is this stuck?' }).waitFor();
    await page.getByRole('link', { name: `Open ${first}`, exact: true }).click();
    await page.getByRole('heading', { name: 'Linked first', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByText(`${first} is now resolved`).first().waitFor();
    expect((await issueOf(second)).status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('lists a review under what needs the person, until it is decided', async () => {
    const issue = await anIssue(service.owner, project, { title: 'To be judged' });
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'InProgress' });
    const { page, problems } = await browser.signedIn('/');
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'PendingReview' });
    const review = page.locator('[data-cause]').filter({ hasText: issue.key });
    await review.getByRole('button', { name: 'Resolve', exact: true }).click();
    await review.waitFor({ state: 'detached' });
    expect((await issueOf(issue.id)).status).toBe('Resolved');
    expect(problems).toEqual([]);
  });

  it('answers a question of an agent, which unblocks its issue', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Asks first' });
    await service.owner.post(`/api/projects/issues/${issue.id}/gates`, {
      question: 'May it be published today?',
      options: ['Today', 'Tomorrow'],
    });
    const { page, problems } = await browser.signedIn('/');
    const row = page.getByRole('listitem').filter({ hasText: issue.key });
    await row.getByRole('button', { name: 'Own words…' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await row.getByLabel('Answer in your own words').fill('Next week.');
    await row.getByRole('button', { name: 'Send the answer' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await issueOf(issue.id)).status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('is reviewed by keyboard alone, from what needs the person, in at most 20 keys', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Looked at by keys' });
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'InProgress' });
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'PendingReview' });
    const { page } = await browser.signedIn('/');
    const keys = new CountedKeys(page);
    const row = page.getByRole('listitem').filter({ hasText: issue.key });
    await keys.pressUntil('j', row);
    await keys.press('Enter');
    await page.getByRole('heading', { name: issue.title, level: 1 }).waitFor();
    await keys.press('m');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.getByRole('option', { name: 'Resolve' }).waitFor();
    await keys.press('Enter');
    await until(async () => (await issueOf(issue.id)).status === 'Resolved');
    expect(keys.pressed).toBeLessThanOrEqual(20);
  });

  it('answers questions one after the other by keyboard alone: the focus goes on to the next row', async () => {
    const asked = [];
    for (const title of ['Asks once', 'Asks twice']) {
      const issue = await anIssue(service.owner, project, { title });
      const question = { question: `${title}?`, options: ['Yes', 'No'] };
      await service.owner.post(`/api/projects/issues/${issue.id}/gates`, question);
      asked.push(issue);
    }
    const { page } = await browser.signedIn('/');
    const row = ({ key }: Issue) => page.getByRole('listitem').filter({ hasText: key });
    const focused = page.locator('[data-cause]:focus-within');
    await row(asked[1]!).waitFor();
    for (const issue of asked) {
      for (let press = 0; press < 50 && !(await row(issue).evaluate(hasFocus)); press += 1)
        await page.keyboard.press('j');
      await page.keyboard.press('2');
      await row(issue).waitFor({ state: 'detached' });
      expect((await issueOf(issue.id)).status).toBe('Open');
      if (issue === asked[0]) await focused.waitFor();
    }
  });

  it('answers an open question on the issue itself, beside the reason why it waits', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Asks there' });
    await service.owner.post(`/api/projects/issues/${issue.id}/gates`, {
      question: 'What shall it be called?',
    });
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByRole('heading', { name: 'Why is this stuck?' }).waitFor();
    const decision = page.getByRole('region', { name: 'Needs a decision' });
    await decision.getByText('What shall it be called?').waitFor();
    await decision.getByLabel('Answer in your own words').fill('Refund fee.');
    await decision.getByRole('button', { name: 'Send the answer' }).click();
    await decision.waitFor({ state: 'detached' });
    expect((await issueOf(issue.id)).status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('creates an issue that waits for another, and links and comments on it', async () => {
    browser.mayNote('status of 400');
    const blocker = await anIssue(service.owner, project, { title: 'Comes first' });
    const { page } = await browser.signedIn(board);
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Title').fill('Comes second');
    await page.getByRole('button', { name: 'Choose an issue' }).click();
    await page.getByRole('combobox').fill('comes fir');
    await page.getByRole('option', { name: blocker.key }).click();
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page
      .getByRole('region', { name: 'Waiting', exact: true })
      .getByRole('link', { name: 'Comes second' })
      .click();
    await page.getByLabel('Comment', { exact: true }).fill('Said **boldly**.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article').getByText('boldly').waitFor();
  });

  it('shows a refusal in the words of the service, leaves the issue as it is, and still takes keys', async () => {
    browser.mayNote('status of 409');
    const issue = await anIssue(service.owner, project, { title: 'Has a dependent' });
    const dependent = await anIssue(service.owner, project, {
      title: 'Waits for it',
      blockedByIssueId: issue.id,
    });
    const { page } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const refusal = page.getByRole('region', { name: 'Notifications' });
    await refusal.getByText(`${issue.key} stays open`).waitFor();
    await refusal.getByText(/not Resolved or Closed/).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    // The dialog hides the page from assistive technology, not from sight.
    await page.getByText(/not Resolved or Closed/).waitFor();
    expect((await issueOf(dependent.id)).status).toBe('WaitingOnDependency');
  });

  it('offers a Viewer nothing that would be refused', async () => {
    const issue = await anIssue(service.owner, project, { title: 'To be read' });
    const viewer = await aPerson(service, 'Viewer');
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`, {
      email: viewer.email,
      password: PASSWORD,
    });
    await page.getByRole('heading', { name: 'To be read', level: 1 }).waitFor();
    for (const name of ['Resolve', 'Close', 'Comment', 'Add'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.goto(board);
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    expect(await page.getByRole('button', { name: 'New issue' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows hostile text as text: no script runs and no request leaves', async () => {
    const hostile =
      '<img src=x onerror=alert(1)><script>document.title="owned"</script> [click](javascript:alert(1)) ![x](https://example.com/x.png)';
    const issue = await anIssue(service.owner, project, {
      title: hostile.slice(0, 200),
      description: hostile,
    });
    await aComment(service.owner, issue, hostile);
    const { page, problems } = await browser.open('/login');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(`/login?next=/i/${issue.key}`);
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('article').getByText('<img src=x').first().waitFor();
    expect(await page.title()).toContain(issue.key);
    expect([...hosts]).toEqual([new URL(service.baseUrl).host]);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('narrows the list by words and status, and keeps both in the address', async () => {
    await anIssue(service.owner, project, { title: 'Findable walrus' });
    const { page, problems } = await browser.signedIn('/p/PAY/list?q=walrus');
    await page.getByRole('link', { name: 'Findable walrus' }).waitFor();
    expect(await page.locator('[data-issue]').count()).toBe(1);
    await page.getByRole('button', { name: 'Status: any' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Closed' }).click();
    await page.getByText('Nothing matches').waitFor();
    expect(page.url()).toContain('status=Closed');
    expect(problems).toEqual([]);
  });

  it('has no accessibility violation in any look', async () => {
    const blocker = await anIssue(service.owner, project, { title: 'A blocker' });
    const issue = await anIssue(service.owner, project, {
      title: 'Looked at by axe',
      description: '# Brief\n\n- one\n\n`code`',
    });
    await aLink(service.owner, blocker, issue);
    await aComment(service.owner, issue);
    const { page } = await browser.signedIn(board);
    for (const path of [board, `${board}?issue=${issue.key}`, '/p/PAY/list', `/i/${issue.key}`, '/']) {
      await goWithin(page, path);
      await inEachLook(page, async (look) => {
        const at = `${path}, ${look}`;
        expect([at, ...(await accessibilityViolations(page))]).toEqual([at]);
      });
    }
  });
});
