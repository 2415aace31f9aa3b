import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  aGoal,
  aLink,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  goWithin,
  hasFocus,
  looks,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('lists and boards of issues as tools', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let juno: { id: string };
  let ember: { id: string };
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'TOOL', name: 'Tools' });
    juno = await anAgent(service.owner, { name: 'juno' });
    ember = await anAgent(service.owner, { name: 'ember' });
  });

  const issueOf = async ({ id }: { id: string }) =>
    (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;
  /** Issues whose titles have a word of their own, the last one first in the list. */
  const several = async (word: string, count: number, fields: object = {}) => {
    const made: Issue[] = [];
    for (let index = 1; index <= count; index += 1)
      made.push(await anIssue(service.owner, project, { title: `${word} ${index}`, ...fields }));
    return made.toReversed();
  };
  const listOf = (word: string, more = '') => `/p/TOOL/list?q=${word}${more}`;
  const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Choose TOOL-/ });
  const row = (page: Page, { key }: Issue) => page.locator(`[data-issue="${key}"]`);
  /** The bar of what can be done to the chosen issues; the head of a column has the name of its field too. */
  const changing = (page: Page) => page.getByRole('group', { name: 'Change the chosen issues' });
  /** The field of the form of a new issue; the words that a list is filtered by are looked up in titles too. */
  const titleField = (page: Page) => page.getByRole('dialog').getByLabel('Title');
  const keysOf = (page: Page) =>
    page
      .locator('[data-issue]')
      .evaluateAll((rows: { dataset: { issue: string } }[]) => rows.map((one) => one.dataset.issue));
  const everyIs = (issues: readonly Issue[], agent: { id: string } | null) =>
    until(async () => {
      const now = await Promise.all(issues.map(issueOf));
      return now.every(({ assignedAgentId }) => assignedAgentId === (agent?.id ?? null));
    });

  it('reassigns ten issues in four presses, and takes it back in one', async () => {
    const issues = await several('Tenfold', 12, { assignedAgentId: ember.id });
    const ten = issues.slice(0, 10);
    const { page, problems } = await browser.signedIn(listOf('tenfold', '&sort=-createdAt'));
    await boxes(page).nth(11).waitFor();
    await page.evaluate(
      `addEventListener('click', () => (window.presses = (window.presses ?? 0) + 1), true)`,
    );
    await boxes(page).nth(0).click();
    await boxes(page)
      .nth(9)
      .click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByRole('option', { name: 'juno' }).click();
    await page.getByText('10 assigned to juno').waitFor();
    expect(await page.evaluate<number>('window.presses')).toBe(4);
    await everyIs(ten, juno);
    expect((await issueOf(issues[10]!)).assignedAgentId).toBe(ember.id);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('10 as before').waitFor();
    expect(await page.evaluate<number>('window.presses')).toBe(5);
    await everyIs(ten, ember);
    expect(problems).toEqual([]);
  });

  it('does the same by keyboard alone: a range, the assignment, and its end', async () => {
    const issues = await several('Keyed', 4);
    const { page, problems } = await browser.signedIn(listOf('keyed', '&sort=-createdAt'));
    await row(page, issues[3]!).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByText('3 chosen').waitFor();
    await page.keyboard.press('a');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('juno');
    await page.keyboard.press('Enter');
    await page.getByText('3 assigned to juno').waitFor();
    await everyIs(issues.slice(0, 3), juno);
    // The focus is among the rows again, where keys go on.
    await page.locator('[data-issue] a:focus').waitFor();
    await page.keyboard.press('z');
    await page.getByText('3 as before').waitFor();
    await everyIs(issues.slice(0, 3), null);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 chosen').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 chosen').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('does not take back what somebody else changed since, and says so', async () => {
    browser.mayNote('status of 412');
    const [first, second] = await several('Contested', 2, { priority: 'low' });
    const { page } = await browser.signedIn(listOf('contested'));
    await boxes(page).first().waitFor();
    await page.keyboard.press('Control+a');
    await changing(page).getByRole('button', { name: 'Priority' }).click();
    await page.getByRole('menuitem', { name: 'Urgent' }).click();
    await page.getByText('2 now urgent').waitFor();
    await service.owner.put(`/api/projects/issues/${first!.id}`, { title: 'Contested by somebody' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 of 2 were not changed back').waitFor();
    expect([(await issueOf(first!)).priority, (await issueOf(second!)).priority]).toEqual(['urgent', 'low']);
  });

  it('says which issues were refused and why, and keeps them chosen', async () => {
    browser.mayNote('status of 409');
    const [free, blocks] = await several('Closable', 2);
    await anIssue(service.owner, project, { title: 'Waits for one', blockedByIssueId: blocks!.id });
    const { page } = await browser.signedIn(listOf('closable'));
    await page.getByRole('checkbox', { name: 'Choose all rows' }).check();
    await page.getByRole('button', { name: 'Close 2' }).click();
    const notes = page.getByRole('region', { name: 'Notifications' });
    await notes.getByText('1 of 2 were not changed').waitFor();
    await notes.getByText(new RegExp(`${blocks!.key}: .*not Resolved or Closed`)).waitFor();
    expect((await issueOf(free!)).status).toBe('Closed');
    await page.getByText('1 chosen').waitFor();
    expect(await page.getByRole('checkbox', { name: `Choose ${blocks!.key}` }).isChecked()).toBe(true);
  });

  it('pauses, resumes, moves, blocks and puts under a goal what is chosen', async () => {
    const place = await aProject(service.owner, { key: 'BULK', name: 'In bulk' });
    const goal = await aGoal(service.owner, place, { title: 'Ship it' });
    const issues = [1, 2, 3].map(() => anIssue(service.owner, place, { assignedAgentId: juno.id }));
    const [one, two, blocker] = await Promise.all(issues);
    const elsewhere = await anIssue(service.owner, project, { title: 'Unmistakable elsewhere' });
    const { page, problems } = await browser.signedIn('/p/BULK/list');
    const choose = async () => {
      for (const { key } of [one!, two!])
        await page.getByRole('checkbox', { name: `Choose ${key}`, exact: true }).check();
    };
    const menu = async (name: string, item: string) => {
      await choose();
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('Move', 'In progress');
    await page.getByText('2 now in progress').waitFor();
    await menu('Goal', 'Ship it');
    await page.getByText('2 part of “Ship it”').waitFor();
    await choose();
    await page.getByRole('button', { name: 'Pause 2' }).click();
    await page.getByText('2 paused').waitFor();
    expect(await Promise.all([one!, two!].map(issueOf))).toMatchObject([
      { paused: true, goalId: goal.id },
      { paused: true, goalId: goal.id },
    ]);
    await choose();
    await page.getByRole('button', { name: 'Resume 2' }).click();
    await page.getByText('2 resumed').waitFor();
    await choose();
    await page.getByRole('button', { name: 'Blocker' }).click();
    await page.getByRole('combobox').fill('unmistakab');
    await page.getByRole('option', { name: elsewhere.key }).click();
    await page.getByText(`2 blocked by ${elsewhere.key}`).waitFor();
    expect((await issueOf(one!)).status).toBe('WaitingOnDependency');
    expect((await issueOf(blocker!)).status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('chooses all that match, also those that the list has not read', async () => {
    const place = await aProject(service.owner, { key: 'MANY', name: 'Many' });
    await service.sql(
      `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Open', 'system', 'test' FROM generate_series(1, 230) AS n`,
      [place.id],
    );
    const { page, problems } = await browser.signedIn('/p/MANY/list');
    await page.getByText('230 issues').waitFor();
    await page
      .getByRole('checkbox', { name: /^Choose MANY-/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Choose all 230 that match' }).click();
    await page.getByText('230 chosen').waitFor();
    await changing(page).getByRole('button', { name: 'Priority' }).click();
    await page.getByRole('menuitem', { name: 'High priority' }).click();
    await page.getByText('230 now high priority').waitFor();
    const [counted] = await service.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM issues WHERE project_id = $1 AND priority = 3`,
      [place.id],
    );
    expect(counted!.count).toBe(230);
    expect(problems).toEqual([]);
  });

  it('orders by the heads of its columns, shows the time of the order, and keeps a width in this browser', async () => {
    const [high, low] = [
      await anIssue(service.owner, project, { title: 'Sorted first', priority: 'urgent' }),
      await anIssue(service.owner, project, { title: 'Sorted second', priority: 'low' }),
    ];
    const { page, problems } = await browser.signedIn(listOf('sorted'));
    await row(page, low).waitFor();
    const head = (name: string) => page.getByRole('columnheader', { name });
    expect(await head('Updated').getAttribute('aria-sort')).toBe('descending');
    await head('Priority').getByRole('button').click();
    await until(async () => (await keysOf(page)).join() === [high.key, low.key].join());
    await head('Created').waitFor();
    await head('Priority').getByRole('button').click();
    await until(async () => (await keysOf(page)).join() === [low.key, high.key].join());
    expect(await head('Priority').getAttribute('aria-sort')).toBe('ascending');
    expect(page.url()).toContain('sort=priority');
    const edge = page.getByRole('separator', { name: 'Width of Why' });
    const before = Number(await edge.getAttribute('aria-valuenow'));
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const wider = String(before + 32);
    expect(await edge.getAttribute('aria-valuenow')).toBe(wider);
    await page.reload();
    await row(page, low).waitFor();
    expect(await edge.getAttribute('aria-valuenow')).toBe(wider);
    expect(problems).toEqual([]);
  });

  it('narrows by several values of a filter, and says in the address and on the button which', async () => {
    const done = await anIssue(service.owner, project, { title: 'Narrow done', priority: 'high' });
    const open = await anIssue(service.owner, project, { title: 'Narrow open', assignedAgentId: ember.id });
    const other = await anIssue(service.owner, project, { title: 'Narrow other', assignedAgentId: juno.id });
    await service.owner.put(`/api/projects/issues/${done.id}`, { status: 'Resolved' });
    const { page, problems } = await browser.signedIn(listOf('narrow', '&sort=createdAt'));
    await row(page, other).waitFor();
    const tick = async (filter: string, ...values: string[]) => {
      await page.getByRole('button', { name: filter }).click();
      for (const value of values)
        await page.getByRole('menuitemcheckbox', { name: value, exact: true }).click();
      await page.keyboard.press('Escape');
    };
    await tick('Assignee: any', 'ember', 'Unassigned');
    await until(async () => (await keysOf(page)).join() === [done.key, open.key].join());
    await page.getByText('2 issues').waitFor();
    await tick('Status: any', 'Resolved', 'Closed');
    await until(async () => (await keysOf(page)).join() === done.key);
    await page.getByRole('button', { name: 'Status: Resolved, Closed' }).waitFor();
    expect(decodeURIComponent(page.url())).toContain('status=Resolved,Closed');
    await page.getByRole('button', { name: 'Clear' }).click();
    await row(page, other).waitFor();
    expect(problems).toEqual([]);
  });

  it('stands in groups with the counts of the service, which are folded and unfolded', async () => {
    const place = await aProject(service.owner, { key: 'GRP', name: 'Groups' });
    const root = await anIssue(service.owner, place, { title: 'The root', assignedAgentId: juno.id });
    for (let index = 0; index < 55; index += 1)
      await anIssue(service.owner, place, { title: `Leaf ${index}`, blockedByIssueId: root.id });
    const { page, problems } = await browser.signedIn('/p/GRP/list?group=blocker');
    const head = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Fold The root' }) });
    await head.getByText('55 issues').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Fold The root' }).click();
    await row(page, root).waitFor();
    expect(await page.locator('[data-issue]').count()).toBe(1);
    await page.getByRole('button', { name: 'Group: what it waits for' }).click();
    await page.getByRole('menuitem', { name: 'Agent' }).click();
    await page.getByRole('row').filter({ hasText: 'No agent' }).getByText('55 issues').waitFor();
    expect(page.url()).toContain('group=agent');
    await page.goto('/p/GRP/graph');
    const roots = page.getByRole('region', { name: 'What holds up most' });
    await roots
      .getByRole('listitem')
      .filter({ hasText: root.key })
      .getByText('55 issues wait for it')
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('has heads of groups of one line on a phone, where an issue has three', async () => {
    await several('Headed', 2);
    const phone = { viewport: { width: 390, height: 844 } };
    const { page, problems } = await browser.signedIn(listOf('headed', '&group=status'), undefined, phone);
    const heightOf = async (target: Locator) => (await target.first().boundingBox())!.height;
    const head = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Fold / }) });
    await page.locator('[data-issue]').first().waitFor();
    expect([await heightOf(head), await heightOf(page.locator('[data-issue]'))]).toEqual([40, 72]);
    expect(problems).toEqual([]);
  });

  it('has the focus of a graph in view, also where another graph was shown before', async () => {
    const place = await aProject(service.owner, { key: 'VIEW', name: 'Views' });
    const root = await anIssue(service.owner, place, { title: 'Holds all up' });
    let last = root;
    // The last of each five has the next five behind it, so the whole is far larger than what is seen of it.
    for (let index = 0; index < 20; index += 1) {
      const made = await anIssue(service.owner, place, { blockedByIssueId: last.id });
      if (index % 5 === 4 && index < 19) last = made;
    }
    const { page, problems } = await browser.signedIn('/p/VIEW/graph');
    const canvas = page.getByRole('region', { name: /^Graph/ });
    const isSeen = async ({ id }: { id: string }) => {
      const [node, around] = [
        await canvas.locator(`[data-node="${id}"]`).boundingBox(),
        await canvas.boundingBox(),
      ];
      if (node === null || around === null) return false;
      const [x, y] = [node.x + node.width / 2 - around.x, node.y + node.height / 2 - around.y];
      return x > 0 && x < around.width && y > 0 && y < around.height;
    };
    await until(() => isSeen(root));
    await goWithin(page, `/p/VIEW/graph?focus=${last.key}&depth=1`);
    await page.getByText('7 issues shown').waitFor();
    await until(() => isSeen(last));
    expect(problems).toEqual([]);
  });

  it('scrolls each column of the board below its head, which has the count of the service', async () => {
    const place = await aProject(service.owner, { key: 'COL', name: 'Columns' });
    for (let index = 0; index < 14; index += 1)
      await anIssue(service.owner, place, { title: `Open ${index}`, priority: index < 3 ? 'high' : 'none' });
    const { page, problems } = await browser.signedIn('/p/COL/board');
    const column = page.getByRole('region', { name: 'Open', exact: true });
    await column.getByText('14', { exact: true }).waitFor();
    await column.getByRole('link', { name: 'Open 0' }).scrollIntoViewIfNeeded();
    expect(await column.getByRole('heading', { level: 2 }).isVisible()).toBe(true);
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await page.getByRole('button', { name: 'Priority: any' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'High priority' }).click();
    await column.getByText('3', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('has cards and rows of one line for title and reason where they are compact', async () => {
    const long =
      'A title that has far more words than one line of a card or of a row could ever have room for';
    const issue = await anIssue(service.owner, project, { title: long, priority: 'urgent' });
    const { page } = await browser.signedIn('/p/TOOL/board');
    const heightOf = async () => (await row(page, issue).boundingBox())!.height;
    await row(page, issue).waitFor();
    const comfortable = await heightOf();
    await page.evaluate(`localStorage.setItem('awp.density', 'compact')`);
    await page.reload();
    await row(page, issue).waitFor();
    expect(await heightOf()).toBeLessThan(comfortable * 0.6);
    const lines = await row(page, issue)
      .locator('h3')
      .evaluate((title: { offsetHeight: number }) => Math.round(title.offsetHeight / 18));
    expect(lines).toBe(1);
    await goWithin(page, listOf('far%20more%20words'));
    await row(page, issue).waitFor();
    expect(await heightOf()).toBe(32);
  });

  it.each(['/p/TOOL/board', '/p/TOOL/list', '/projects'])(
    'does not pan sideways on a phone beyond %s',
    async (path) => {
      const root = await anIssue(service.owner, project, { title: 'Wide root' });
      const waiting = await anIssue(service.owner, project, { title: 'Wide', blockedByIssueId: root.id });
      const phone = { viewport: { width: 390, height: 844 } };
      const { page } = await browser.signedIn(path, undefined, phone);
      await page.getByText('Live', { exact: true }).waitFor();
      if (path !== '/projects') await row(page, waiting).waitFor({ state: 'attached' });
      const widths = await page.evaluate<number[]>(
        `[document.documentElement, document.querySelector('main').parentElement].map((one) => one.scrollWidth)`,
      );
      expect(widths).toEqual([390, 390]);
    },
  );

  it('creates an issue with project, people, goal, blockers of any project and files, and leads to it', async () => {
    const place = await aProject(service.owner, { key: 'FORM', name: 'Forms' });
    const goal = await aGoal(service.owner, place, { title: 'A goal of Forms' });
    const person = await aPerson(service, 'Editor');
    const here = await anIssue(service.owner, place, { title: 'Blocker beside it' });
    const there = await anIssue(service.owner, project, { title: 'Blocker of another project' });
    const { page, problems } = await browser.signedIn('/p/TOOL/board');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('c');
    await titleField(page).fill('Made by the form');
    await page.getByRole('dialog').getByLabel('Project').selectOption({ label: 'Forms (FORM)' });
    await page.getByLabel('Assign to').selectOption({ label: 'juno' });
    await page.getByLabel('Responsible person').selectOption({ value: person.id });
    await page.getByLabel('Goal').selectOption({ label: 'A goal of Forms' });
    await page.getByLabel('Priority').selectOption('urgent');
    for (const { key, title } of [here, there]) {
      await page.getByRole('button', { name: /^Choose an(other| issue)/ }).click();
      await page.getByRole('combobox').fill(title);
      await page.getByRole('option', { name: key }).click();
    }
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('content') });
    await page.locator('input[type=file]').setInputFiles([file('one.txt'), file('two.txt')]);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByRole('button', { name: /^Open FORM-/ }).click();
    await page.getByRole('heading', { name: 'Made by the form', level: 1 }).waitFor();
    const key = page.url().split('/').at(-1)!;
    const { body: made } = await service.owner.get<Issue>(`/api/projects/issues/${key}`);
    expect(made).toMatchObject({
      status: 'WaitingOnDependency',
      priority: 'urgent',
      goalId: goal.id,
      assignedAgentId: juno.id,
      assigneeUserId: person.id,
    });
    expect(made.links.map(({ target }) => target.key).toSorted()).toEqual([here.key, there.key].toSorted());
    const { body: files } = await service.owner.get<{ filename: string }[]>(
      `/api/projects/issues/${key}/attachments`,
    );
    expect(files.map(({ filename }) => filename)).toEqual(['one.txt', 'two.txt']);
    expect(problems).toEqual([]);
  });

  it('says which file failed after the creation, and sends it again alone', async () => {
    browser.mayNote('status of 503');
    const { page } = await browser.signedIn('/p/TOOL/list');
    await page.getByText('Live', { exact: true }).waitFor();
    let fails = true;
    await page.route('**/attachments', async (route) => {
      const isSecond = route.request().postDataBuffer()?.includes('bad.txt') ?? false;
      if (!isSecond || !fails) return route.continue();
      fails = false;
      return route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'The store is away.' } });
    });
    await page.keyboard.press('c');
    await titleField(page).fill('Has two files');
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('content') });
    await page.locator('input[type=file]').setInputFiles([file('good.txt'), file('bad.txt')]);
    await page.getByRole('button', { name: 'Create issue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The store is away.').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body: list } = await service.owner.get<Issue[]>('/api/projects/TOOL/issues?q=has%20two%20files');
    const { body: files } = await service.owner.get<{ filename: string }[]>(
      `/api/projects/issues/${list[0]!.key}/attachments`,
    );
    expect(list).toHaveLength(1);
    expect(files.map(({ filename }) => filename)).toEqual(['good.txt', 'bad.txt']);
    await row(page, list[0]!).waitFor();
  });

  it('keeps what was typed into the form of a new issue', async () => {
    const { page } = await browser.signedIn('/p/TOOL/board');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('c');
    await titleField(page).fill('Half an issue');
    await page.keyboard.press('Escape');
    await goWithin(page, '/p/TOOL/list');
    await page.getByRole('button', { name: 'New issue' }).click();
    expect(await titleField(page).inputValue()).toBe('Half an issue');
    await titleField(page).fill('');
    await page.keyboard.press('Escape');
  });

  it('gives the focus back to where it was after each dialog', async () => {
    const [issue] = await several('Focused', 2);
    const { page, problems } = await browser.signedIn(listOf('focused', '&sort=-createdAt'));
    const link = row(page, issue!).getByRole('link');
    const isBack = () => until(() => link.evaluate(hasFocus));
    await link.waitFor();
    for (const key of ['m', 'a', 'b', 'c', '/', '?']) {
      await link.focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await isBack();
    }
    await tabTo(page, page.getByRole('button', { name: 'New issue' }));
    await page.keyboard.press('Enter');
    await titleField(page).waitFor();
    await page.keyboard.press('Escape');
    await until(() => page.getByRole('button', { name: 'New issue' }).evaluate(hasFocus));
    expect(problems).toEqual([]);
  });

  it('follows a card with the focus to the column that it is moved to', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Followed', priority: 'urgent' });
    const { page, problems } = await browser.signedIn('/p/TOOL/board');
    const inColumn = page
      .getByRole('region', { name: 'In progress', exact: true })
      .locator(`[data-issue="${issue.key}"] a`);
    await row(page, issue).getByRole('link').focus();
    await page.keyboard.press('m');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('start');
    await page.keyboard.press('Enter');
    await inColumn.waitFor();
    await until(() => inColumn.evaluate(hasFocus));
    expect(problems).toEqual([]);
  });

  it('says above the page which project and issue one is in, and marks the place in the rail', async () => {
    const issue = await anIssue(service.owner, project, { title: 'Where one is' });
    const { page, problems } = await browser.signedIn('/projects');
    const rail = page.getByRole('navigation', { name: 'Main' });
    const crumbs = page.getByRole('navigation', { name: 'Where you are' });
    const at = async (path: string, words: string, place: string) => {
      await goWithin(page, path);
      await until(async () => (await crumbs.innerText()).replaceAll(/\s+/g, ' ') === words);
      expect(await rail.locator('[aria-current=page]').allInnerTexts()).toEqual([
        expect.stringContaining(place),
      ]);
    };
    await at('/projects', 'Projects', 'Work');
    await at('/p/TOOL/list', 'Projects / Tools', 'Work');
    await at(`/i/${issue.key}`, `Projects / Tools / ${issue.key}`, 'Work');
    await at(`/p/TOOL/board?issue=${issue.key}`, `Projects / Tools / ${issue.key}`, 'Work');
    await at('/catalog', 'Servers', 'Servers');
    await at('/settings/keys', 'Settings', 'Settings');
    await at('/', 'Needs you', 'Needs you');
    expect(problems).toEqual([]);
  });

  it('lists the projects with their counts, and creates one', async () => {
    const place = await aProject(service.owner, { key: 'CNT', name: 'Counted' });
    const blocker = await anIssue(service.owner, place);
    await aLink(service.owner, blocker, await anIssue(service.owner, place));
    const { page, problems } = await browser.signedIn('/projects');
    const cells = page.getByRole('row').filter({ hasText: 'Counted' }).locator('[data-number]');
    await until(async () => (await cells.allInnerTexts()).join() === '1,0,1,0,0');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Fresh');
    await page.getByLabel('Key').fill('fresh');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Fresh', level: 1 }).waitFor();
    expect(page.url()).toContain('/p/FRESH/board');
    expect(problems).toEqual([]);
  });

  it('offers a Viewer no choice and no form', async () => {
    const { email } = await aPerson(service, 'Viewer');
    const issue = await anIssue(service.owner, project, { title: 'Only looked at' });
    const { page, problems } = await browser.signedIn(listOf('only+looked'), { email, password: PASSWORD });
    await row(page, issue).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.keyboard.press('Control+a');
    expect(await page.getByText(/chosen/).count()).toBe(0);
    await goWithin(page, '/projects');
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each(looks)(
    'has no accessibility violation (%s theme, forced colours %s, %i pixels)',
    async (colorScheme, forcedColors, width) => {
      const { page } = await browser.signedIn('/p/TOOL/list', undefined, {
        colorScheme,
        forcedColors,
        viewport: { width, height: 900 },
      });
      const paths = [
        '/p/TOOL/list',
        '/p/TOOL/list?group=status',
        '/p/TOOL/board',
        '/p/GRP/graph',
        '/projects',
      ];
      for (const path of paths) {
        await goWithin(page, path);
        expect(await accessibilityViolations(page)).toEqual([]);
      }
      await goWithin(page, '/p/TOOL/list');
      await page.getByRole('checkbox', { name: 'Choose all rows' }).check();
      await page.getByRole('button', { name: /^Status: / }).click();
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );
});
