import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  inEachLook,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const TEXT = [
  '- Build the packages {#build}',
  '  Sign all of them.',
  '- Write the notes {#notes}',
  '  - Collect the fixes',
  '  - Describe them after: 2.1',
  '- Publish after: build, notes, PLAN-1',
].join('\n');

inBrowser('the page of a plan', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'PLAN', name: 'Plans' });
    await anIssue(service.owner, project, { title: 'Get a certificate' });
  });
  const issues = async () =>
    (await service.owner.get<Issue[]>('/api/projects/PLAN/issues?sort=createdAt')).body;

  it('shows a list as a graph with its longest chain, and creates it by the keyboard alone', async () => {
    const { page } = await browser.signedIn('/p/PLAN/plan');
    await tabTo(page, page.getByLabel('Plan', { exact: true }));
    await page.keyboard.insertText(TEXT);
    await tabTo(page, page.getByRole('button', { name: 'Check plan' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '5 issues can be created' }).waitFor();
    expect(await page.getByText('The longest chain has 4 steps: 2.1 → 2.2 → notes → 3.').count()).toBe(1);
    const order = page
      .getByRole('heading', { name: 'In this order' })
      .locator('..')
      .locator('..')
      .locator('ol li');
    expect(await order.count()).toBe(5);
    expect(await page.getByText('On the longest chain').count()).toBe(4);
    expect(await page.locator('[data-node]').count()).toBe(5);
    expect(await issues()).toHaveLength(1);
    await inEachLook(page, async (look) => {
      expect({ [look]: await accessibilityViolations(page) }).toEqual({ [look]: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await tabTo(page, page.getByRole('button', { name: 'Create 5 issues' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/p/PLAN/graph');
    await until(async () => (await issues()).length === 6);
    const [, build, notes, collect, describing, publish] = await issues();
    expect(build).toMatchObject({
      title: 'Build the packages',
      description: 'Sign all of them.',
      status: 'Open',
    });
    expect(notes).toMatchObject({ status: 'WaitingOnDependency', children: { total: 2 } });
    expect(collect).toMatchObject({ parentId: notes!.id, status: 'Open' });
    expect(describing).toMatchObject({ parentId: notes!.id, status: 'WaitingOnDependency' });
    expect(publish!.links.map(({ target }) => target.title).toSorted()).toEqual([
      'Build the packages',
      'Get a certificate',
      'Write the notes',
    ]);
  });

  it('shows what is wrong at its line, and creates nothing', async () => {
    const before = (await issues()).length;
    const { page } = await browser.signedIn('/p/PLAN/plan');
    browser.mayNote('400', '409');
    const area = page.getByLabel('Plan', { exact: true });
    await area.fill('- One\n- Two after: nothing, 1\n- {#three}');
    await page.getByRole('button', { name: 'Check plan' }).click();
    await page.getByText('The item has no title.').waitFor();
    await area.fill('- One\n- Two after: nothing, 1');
    await page.getByRole('button', { name: 'Check plan' }).click();
    await page.getByText(/Two \(blockedBy\[0\]\): names neither a ref/).waitFor();
    await page.getByRole('button', { name: 'Line 2' }).click();
    expect(await area.evaluate((one: { selectionStart: number }) => one.selectionStart)).toBe(6);
    await area.fill('- One after: 2\n- Two after: 1');
    await page.getByRole('button', { name: 'Check plan' }).click();
    await page.getByText(/cycle of blocking/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
    expect(await issues()).toHaveLength(before);
    await area.fill('');
  });

  it('is a tab for Editors only', async () => {
    const viewer = await aPerson(service, 'Viewer');
    const { page } = await browser.signedIn('/p/PLAN/board', { email: viewer.email, password: PASSWORD });
    await page.getByRole('link', { name: 'Graph' }).waitFor();
    expect(await page.getByRole('link', { name: 'Plan', exact: true }).count()).toBe(0);
  });
});
