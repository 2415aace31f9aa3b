import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  inEachLook,
  noChromium,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('sub-issues on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let release: Issue;
  let notes: Issue;
  let done: Issue;
  let pictures: Issue;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'TREE', name: 'Trees' });
    const below = (title: string, parent?: Issue) =>
      anIssue(service.owner, project, { title, parentId: parent?.id ?? null });
    release = await below('Release the product');
    notes = await below('Write the notes', release);
    done = await below('Collect the merged work', notes);
    pictures = await below('Draw the pictures', notes);
    await below('Tell the customers', release);
    await service.owner.put(`/api/projects/issues/${done.id}`, { status: 'Resolved' });
  });

  const issueOf = async (id: string) => (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;

  it('are a tree that is walked by keys alone, from the parent to a part of a part', async () => {
    const { page, problems } = await browser.signedIn(`/i/${release.key}`);
    const tree = page.getByRole('tree', { name: `Sub-issues of ${release.key}` });
    const item = (issue: Issue) => tree.getByRole('treeitem', { name: issue.key });
    await item(notes).waitFor();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('0 of 2 finished');
    expect(await item(done).count()).toBe(0);
    await item(notes).focus();
    await page.keyboard.press('ArrowRight');
    await item(done).waitFor();
    expect(await item(notes).getAttribute('aria-expanded')).toBe('true');
    expect(await item(done).getAttribute('aria-level')).toBe('2');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await until(() => item(pictures).evaluate((one) => one.ownerDocument.activeElement === one));
    await page.keyboard.press('ArrowLeft');
    await until(() => item(notes).evaluate((one) => one.ownerDocument.activeElement === one));
    await page.keyboard.press('ArrowLeft');
    await item(done).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: notes.title, level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Parent' }).getByRole('link').click();
    await page.getByRole('heading', { name: release.title, level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  it('are added, found and taken away on the page of their parent', async () => {
    const parent = await anIssue(service.owner, project, { title: 'A parent' });
    const loose = await anIssue(service.owner, project, { title: 'Loose work' });
    const { page, problems } = await browser.signedIn(`/i/${parent.key}`);
    await page.getByRole('button', { name: 'New sub-issue' }).click();
    await page.getByLabel('Title').fill('A new part');
    await page.getByRole('button', { name: 'Create issue' }).click();
    const tree = page.getByRole('tree');
    await tree.getByText('A new part').waitFor();
    await page.getByText('Waiting', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Existing issue as a sub-issue' }).click();
    await page.keyboard.type('Loose');
    await page.getByRole('option', { name: 'Loose work' }).click();
    await tree.getByText('Loose work').waitFor();
    expect((await issueOf(loose.id)).parentId).toBe(parent.id);
    await tree.getByText('Loose work').click();
    await page.getByRole('button', { name: `Put ${loose.key} on the top level` }).click();
    await page
      .getByText(`${loose.key} is on the top level`)
      .or(page.getByText(`${loose.key} is now`))
      .first()
      .waitFor();
    expect((await issueOf(loose.id)).parentId).toBeNull();
    await page.keyboard.press('u');
    await page.keyboard.type(parent.key);
    await page.getByRole('option', { name: parent.title }).click();
    await until(async () => (await issueOf(loose.id)).parentId === parent.id);
    await page.getByRole('navigation', { name: 'Parent' }).getByText(parent.key).waitFor();
    expect(problems).toEqual([]);
  });

  it('are counted on the cards of the board and in the list', async () => {
    const { page, problems } = await browser.signedIn('/p/TREE/board');
    const words = '1 of 2 sub-issues finished';
    await page.locator(`[data-issue="${notes.key}"]`).getByText(words).waitFor({ state: 'attached' });
    await page.goto(new URL('/p/TREE/list?flat=true', page.url()).href);
    await page.locator(`[data-issue="${notes.key}"]`).getByText(words).waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });

  it('have no violation of axe in both themes and widths, and cause no sideways scroll', async () => {
    const { page } = await browser.signedIn(`/i/${release.key}`);
    await page.getByRole('treeitem', { name: notes.key }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: done.key }).waitFor();
    await inEachLook(page, async (look) => {
      expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
      const isTooWide = await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      expect([look, isTooWide]).toEqual([look, false]);
      const folder = process.env['PICTURES_OF_SUB_ISSUES'];
      if (folder) await page.screenshot({ path: `${folder}/${look.replaceAll(/\W+/g, '-')}.png` });
    });
  });
});
