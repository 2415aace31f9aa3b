import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  aLabel,
  aLink,
  anIssue,
  aProject,
  type Issue,
  type Project,
  type View,
} from '../../support/builders.js';
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

inBrowser('a list with labels, sub-issues and saved views', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let release: Issue;
  let notes: Issue;
  let pictures: Issue;
  let alone: Issue;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'ROWS', name: 'Rows' });
    for (const [name, color] of [
      ['bug', 'red'],
      ['docs', 'blue'],
    ])
      await aLabel(service.owner, project, { name, color });
    const make = (title: string, fields: object = {}) =>
      anIssue(service.owner, project, { title, ...fields });
    alone = await make('Stands alone', { labels: ['bug'] });
    release = await make('Release the product', { labels: ['docs'] });
    notes = await make('Write the notes', { parentId: release.id, labels: ['bug', 'docs'] });
    pictures = await make('Draw the pictures', { parentId: notes.id });
  });

  const issueOf = async ({ id }: { id: string }) =>
    (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;
  const viewsOf = async () => (await service.owner.get<View[]>(`/api/projects/${project.id}/views`)).body;
  const row = (page: Page, { key }: Issue) => page.locator(`[data-issue="${key}"]`);
  const changing = (page: Page) => page.getByRole('group', { name: 'Change the chosen issues' });
  const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
  const choose = async (page: Page, ...issues: Issue[]) => {
    for (const { key } of issues)
      await page.getByRole('checkbox', { name: `Choose ${key}`, exact: true }).check();
  };
  const isFocused = (page: Page, issue: Issue) =>
    until(() => row(page, issue).getByRole('link').evaluate(hasFocus));

  it('has parts below their parent, which keys open, walk and close', async () => {
    const { page, problems } = await browser.signedIn('/p/ROWS/list?sort=createdAt');
    await page.getByText('2 issues on the top level').waitFor();
    expect(await row(page, notes).count()).toBe(0);
    const reads: string[] = [];
    page.on('request', (request) => request.url().includes('/children') && reads.push(request.url()));
    await row(page, release).getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await row(page, notes).waitFor();
    expect(reads).toHaveLength(1);
    const button = row(page, release).getByRole('button', { name: `Sub-issues of ${release.key}` });
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await row(page, notes).getByText(`Part of ${release.key}:`).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowRight');
    await isFocused(page, notes);
    await page.keyboard.press('ArrowRight');
    await row(page, pictures).waitFor();
    await page.keyboard.press('ArrowRight');
    await isFocused(page, pictures);
    const left = async (issue: Issue) => (await row(page, issue).getByRole('link').boundingBox())!.x;
    expect(await left(pictures)).toBeGreaterThan(await left(notes));
    await page.keyboard.press('ArrowLeft');
    await isFocused(page, notes);
    await page.keyboard.press('ArrowLeft');
    await row(page, pictures).waitFor({ state: 'detached' });
    // Who comes back from an issue finds the branches as they were.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: notes.title, level: 1 }).waitFor();
    await page.goBack();
    await row(page, notes).waitFor();
    await button.click();
    await row(page, notes).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Sub-issues below their parents' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('4 issues', { exact: true }).waitFor();
    await row(page, pictures).waitFor();
    expect(page.url()).toContain('flat=true');
    expect(problems).toEqual([]);
  });

  it('hides columns, and stands in groups of labels and of parents', async () => {
    const { page, problems } = await browser.signedIn('/p/ROWS/list?group=label');
    const head = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('button', { name: `Fold ${name}` }) });
    await head('bug').getByText('2 issues').waitFor();
    await head('docs').getByText('2 issues').waitFor();
    await head('No label').getByText('1 issue').waitFor();
    await page.getByRole('button', { name: 'Labels: any' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'bug' }).click();
    await page.keyboard.press('Escape');
    await head('docs').getByText('1 issue').waitFor();
    await until(async () => (await page.locator('[data-issue]').count()) === 3);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Group: label' }).click();
    await page.getByRole('menuitem', { name: 'Parent' }).click();
    await head(release.title).getByText('1 issue').waitFor();
    await page.getByRole('columnheader', { name: 'Why' }).waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    for (const name of ['Why', 'Labels'])
      await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Why' }).waitFor({ state: 'hidden' });
    await row(page, alone).getByText('bug', { exact: true }).waitFor({ state: 'hidden' });
    expect(decodeURIComponent(page.url())).toContain('hide=labels,why');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('labels chosen issues whatever others they have, and takes it back', async () => {
    const some = await anIssue(service.owner, project, { title: 'Relabel me', labels: ['bug'] });
    const other = await anIssue(service.owner, project, { title: 'Relabel me too', labels: ['docs'] });
    const namesOf = async (issue: Issue) => (await issueOf(issue)).labels.map(({ name }) => name).join();
    const { page, problems } = await browser.signedIn('/p/ROWS/list?q=relabel');
    await choose(page, some, other);
    await page.keyboard.press('l');
    const bug = page.getByRole('option', { name: 'bug' });
    await bug.getByText('1 of 2').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await bug.click();
    await page.getByRole('option', { name: 'docs' }).click();
    await page.getByRole('option', { name: 'docs present choice' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('2 labelled bug and without docs').waitFor();
    await until(async () => [await namesOf(some), await namesOf(other)].join(';') === 'bug;bug');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => [await namesOf(some), await namesOf(other)].join(';') === 'bug;docs');
    expect(problems).toEqual([]);
  });

  it('makes chosen issues parts of another one, says which are refused, and takes it back', async () => {
    browser.mayNote('status of 409');
    const whole = await anIssue(service.owner, project, { title: 'Adoptive whole' });
    const free = await anIssue(service.owner, project, { title: 'Adopted freely' });
    const holds = await anIssue(service.owner, project, { title: 'Adopted never' });
    // A part that waits for its parent would wait for itself.
    await aLink(service.owner, whole, holds);
    const { page } = await browser.signedIn('/p/ROWS/list?q=adopted');
    await choose(page, free, holds);
    await changing(page).getByRole('button', { name: 'Parent' }).click();
    await page.getByRole('combobox').fill('adoptive');
    await page.getByRole('option', { name: whole.key }).click();
    await notices(page)
      .getByText(`${free.key} is a sub-issue of ${whole.key}`)
      .or(notices(page).getByText(`1 a sub-issue of ${whole.key}`))
      .first()
      .waitFor();
    await notices(page).getByText('1 of 2 were not changed').waitFor();
    expect((await issueOf(free)).parentId).toBe(whole.id);
    expect((await issueOf(holds)).parentId).toBeNull();
    await page.getByText('1 chosen').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await issueOf(free)).parentId === null);
  });

  it('offers to close an issue together with what is open below it, with the count', async () => {
    browser.mayNote('status of 409');
    const whole = await anIssue(service.owner, project, { title: 'Closing whole' });
    const part = await anIssue(service.owner, project, { title: 'A part', parentId: whole.id });
    const deeper = await anIssue(service.owner, project, { title: 'Deeper', parentId: part.id });
    const { page } = await browser.signedIn('/p/ROWS/list?q=closing');
    await choose(page, whole);
    await changing(page).getByRole('button', { name: 'Close 1' }).click();
    await notices(page).getByText(`${whole.key} was not changed`).waitFor();
    // The key of what a message offers is for taking back, never for going further.
    await page.keyboard.press('z');
    expect(await accessibilityViolations(page)).toEqual([]);
    await notices(page).getByRole('button', { name: 'Close with 2 open sub-issues' }).click();
    await page.getByText(`${whole.key} is closed with all below`).waitFor();
    const closed = await Promise.all([whole, part, deeper].map(issueOf));
    expect(closed.map(({ status }) => status)).toEqual(['Closed', 'Closed', 'Closed']);
  });

  it('keeps what it shows as a view, by keyboard alone, which is opened, changed and deleted', async () => {
    const { page, problems } = await browser.signedIn('/p/ROWS/list?label=none&group=status&hide=why');
    await page.getByRole('button', { name: 'View: all issues' }).waitFor();
    await page.keyboard.press('v');
    await page.getByRole('menuitem', { name: 'All issues' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await page.keyboard.type('To sort');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('The view To sort is saved').waitFor();
    await page.getByRole('button', { name: 'View: To sort', exact: true }).waitFor();
    expect(await viewsOf()).toMatchObject([
      { name: 'To sort', query: 'label=none&group=status&hide=why', shared: false },
    ]);
    await page.getByRole('button', { name: 'Group: status' }).click();
    await page.getByRole('menuitem', { name: 'No groups' }).click();
    await page.getByRole('button', { name: 'View: To sort, changed' }).click();
    await page.getByRole('menuitem', { name: 'Save the changes' }).click();
    await page.getByRole('button', { name: 'View: To sort', exact: true }).click();
    expect((await viewsOf())[0]!.query).toBe('label=none&hide=why');
    await page.getByRole('menuitem', { name: 'All issues' }).click();
    await page.getByText('on the top level').waitFor();
    await page.getByRole('button', { name: 'View: all issues' }).click();
    await page.getByRole('menuitem', { name: 'To sort' }).click();
    await page.waitForURL(/label=none.*view=/);
    await page.reload();
    await page.getByRole('button', { name: 'View: To sort', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename or share' }).click();
    await page.getByRole('switch', { name: 'Shared in the project' }).click();
    await page.getByRole('button', { name: 'Save view' }).click();
    await until(async () => (await viewsOf())[0]!.shared);
    await page.getByRole('button', { name: 'View: To sort', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete “To sort”' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('button', { name: 'View: all issues' }).waitFor();
    expect(await viewsOf()).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('offers a Viewer shared views to open, and own ones to change', async () => {
    const person = await aPerson(service, 'Viewer');
    await service.owner.post(`/api/projects/${project.id}/views`, {
      ...{ name: 'For all', query: 'label=docs', shared: true },
    });
    const { page, problems } = await browser.signedIn('/p/ROWS/list', { ...person, password: PASSWORD });
    await page.getByRole('button', { name: 'View: all issues' }).click();
    await page.getByRole('menuitem', { name: 'For all' }).click();
    await page.getByRole('button', { name: 'View: For all', exact: true }).click();
    expect(await page.getByRole('menuitem', { name: /^(Rename|Delete)/ }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'View: Mine', exact: true }).waitFor();
    expect((await viewsOf()).map(({ name }) => name)).toEqual(['For all']);
    expect(problems).toEqual([]);
  });

  it('creates an issue with labels and a parent', async () => {
    const { page, problems } = await browser.signedIn('/p/ROWS/list');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('c');
    const form = page.getByRole('dialog', { name: 'New issue' });
    await form.getByLabel('Title').fill('Made with labels');
    await form.getByRole('button', { name: 'Choose labels' }).click();
    await page.getByRole('option', { name: 'docs' }).click();
    await page.keyboard.press('Escape');
    await form.getByText('docs', { exact: true }).waitFor();
    await form.getByRole('group', { name: 'Part of' }).getByRole('button').click();
    await page.getByRole('combobox').fill('Release the');
    await page.getByRole('option', { name: release.key }).click();
    await form.getByRole('switch', { name: `${release.key} waits for it` }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create issue' }).click();
    await page.getByRole('button', { name: /^Open ROWS-/ }).click();
    await page.getByRole('heading', { name: 'Made with labels', level: 1 }).waitFor();
    const made = await issueOf({ id: page.url().split('/').at(-1)! });
    expect(made).toMatchObject({ labels: [{ name: 'docs' }], parentId: release.id, holdsParent: false });
    expect(problems).toEqual([]);
  });

  it('is accessible in each look, and no wider than the window', async () => {
    const { page } = await browser.signedIn('/p/ROWS/list');
    await row(page, release).getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await row(page, notes).waitFor();
    await inEachLook(page, async (look, width) => {
      expect({ look, found: await accessibilityViolations(page) }).toEqual({ look, found: [] });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const folder = process.env['PICTURES_OF_LISTS'];
      if (folder) await page.screenshot({ path: `${folder}/${look.replaceAll(/\W+/g, '-')}.png` });
    });
  });
});
