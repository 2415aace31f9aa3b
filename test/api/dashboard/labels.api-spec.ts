import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aLabel, anIssue, aProject, type Issue, type Label, type Project } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  goWithin,
  inEachLook,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('labels in the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let bug: Label;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'LABEL', name: 'Labelled' });
    bug = await aLabel(service.owner, project, { name: 'bug', color: 'red', description: 'It fails.' });
    for (const [name, color] of [
      ['docs', 'blue'],
      ['Needs design', 'violet'],
      ['a rather long name of a label that is cut', 'green'],
    ])
      await aLabel(service.owner, project, { name, color });
  });

  const named = async (issue: Issue) =>
    (await service.owner.get<Issue>(`/api/projects/issues/${issue.id}`)).body.labels.map(({ name }) => name);
  const labelsOfProject = async () =>
    (await service.owner.get<Label[]>(`/api/projects/${project.id}/labels`)).body;
  const row = (page: Page, { key }: Issue) => page.locator(`[data-issue="${key}"]`);
  const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

  it('shows the labels of an issue on list, board and page, and follows their changes', async () => {
    const labels = ['bug', 'docs', 'Needs design'];
    const issue = await anIssue(service.owner, project, { title: 'Has three labels', labels });
    const { page, problems } = await browser.signedIn('/p/LABEL/list');
    await live(page);
    await row(page, issue).getByText('bug', { exact: true }).waitFor();
    await row(page, issue).getByText('+1').waitFor();
    await service.owner.put(`/api/projects/issues/${issue.id}`, { labels: ['docs'] });
    await row(page, issue).getByText('bug', { exact: true }).waitFor({ state: 'detached' });
    await goWithin(page, '/p/LABEL/board');
    await row(page, issue).getByText('docs', { exact: true }).waitFor();
    const [docs] = (await labelsOfProject()).filter(({ name }) => name === 'docs');
    await service.owner.put(`/api/projects/labels/${docs!.id}`, { name: 'documents' });
    await row(page, issue).getByText('documents', { exact: true }).waitFor();
    await goWithin(page, `/i/${issue.key}`);
    const facts = page.getByRole('complementary', { name: 'Facts' });
    await facts.getByText('documents', { exact: true }).waitFor();
    await page.getByText('removed the labels').waitFor();
    expect(problems).toEqual([]);
  });

  it('chooses, creates and takes off labels by keyboard alone, as one change that can be taken back', async () => {
    const issue = await anIssue(service.owner, project, { title: 'By keyboard', labels: ['Needs design'] });
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByRole('heading', { name: 'By keyboard', level: 1 }).waitFor();
    await live(page);
    await page.keyboard.press('l');
    const field = page.getByRole('combobox', { name: `Labels of ${issue.key}` });
    await field.waitFor();
    await page.getByRole('option', { name: 'Needs design present choice' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    for (const text of ['bug', 'needs', 'made here']) {
      await page.keyboard.type(text);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await until(async () => (await field.inputValue()) === '');
    }
    await page.getByRole('option', { name: 'made here present choice' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(`${issue.key} is labelled bug, made here`).waitFor();
    await until(async () => (await named(issue)).join() === 'bug,made here');
    expect((await service.owner.get<Issue>(`/api/projects/issues/${issue.id}`)).body.version).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await named(issue)).join() === 'Needs design');
    expect(problems).toEqual([]);
  });

  it('narrows list and board by several labels, and by none', async () => {
    const place = await aProject(service.owner, { key: 'NARROW', name: 'Narrow' });
    for (const name of ['one', 'two']) await aLabel(service.owner, place, { name });
    const both = await anIssue(service.owner, place, { title: 'Both', labels: ['one', 'two'] });
    const single = await anIssue(service.owner, place, { title: 'Single', labels: ['one'] });
    const bare = await anIssue(service.owner, place, { title: 'Bare' });
    const shown = (page: Page) => page.locator('[data-issue]').count();
    const { page, problems } = await browser.signedIn('/p/NARROW/list');
    await row(page, bare).waitFor();
    await page.getByRole('button', { name: 'Labels: any' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'one' }).click();
    await until(async () => (await shown(page)) === 2);
    await page.getByRole('menuitemcheckbox', { name: 'two' }).click();
    await until(async () => (await shown(page)) === 1);
    expect(await row(page, both).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await goWithin(page, '/p/NARROW/board?label=none');
    await until(async () => (await shown(page)) === 1);
    expect(await row(page, bare).isVisible()).toBe(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('one');
    await page.getByRole('option', { name: /^one/ }).click();
    await page.waitForURL(/\/p\/NARROW\/list\?label=/);
    await row(page, single).waitFor();
    await until(async () => (await shown(page)) === 2);
    expect(problems).toEqual([]);
  });

  it('manages the labels of a project, by keyboard and with the refusals of the service', async () => {
    const { page, problems } = await browser.signedIn('/p/LABEL/labels');
    browser.mayNote('status of 409');
    const create = page.getByRole('button', { name: 'New label' });
    await tabTo(page, create);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('BUG');
    await tabTo(page, dialog.getByRole('radio', { name: 'gray' }));
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('ArrowRight');
    await dialog.getByLabel('Description').fill('Urgent');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('already; choose another name').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('hotfix');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The label hotfix is created').waitFor();
    await until(async () => (await labelsOfProject()).some(({ name }) => name === 'hotfix'));
    const made = (await labelsOfProject()).find(({ name }) => name === 'hotfix');
    expect(made).toMatchObject({ color: 'teal', description: 'Urgent' });
    await page.getByRole('button', { name: 'Edit hotfix' }).click();
    await dialog.getByLabel('Name').fill('hot fix');
    await page.getByRole('button', { name: 'Save label' }).click();
    await page.getByText('The label hot fix is changed').waitFor();
    const issue = await anIssue(service.owner, project, { labels: ['hot fix'] });
    await page.reload();
    await page.getByRole('link', { name: '1 with the label hot fix' }).waitFor();
    await page.getByRole('button', { name: 'Delete hot fix' }).click();
    await dialog.getByText('It is taken off 1 unresolved issue').waitFor();
    await page.getByRole('button', { name: 'Delete label' }).click();
    await page.getByText('The label hot fix is deleted').waitFor();
    expect(await named(issue)).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  });

  it('offers a Viewer no change of labels', async () => {
    const issue = await anIssue(service.owner, project, { title: 'For reading', labels: [bug.id] });
    const viewer = await aPerson(service, 'Viewer');
    const { page } = await browser.signedIn('/p/LABEL/labels', { ...viewer, password: PASSWORD });
    await page.getByText('It fails.').waitFor();
    expect(await page.getByRole('button', { name: /label|^Edit|^Delete/ }).count()).toBe(0);
    await goWithin(page, `/i/${issue.key}`);
    await page.getByRole('complementary', { name: 'Facts' }).getByText('bug', { exact: true }).waitFor();
    await page.keyboard.press('l');
    expect(await page.getByRole('combobox', { name: `Labels of ${issue.key}` }).count()).toBe(0);
  });

  it('is accessible in each look, and no wider than the window', async () => {
    await anIssue(service.owner, project, { title: 'Looked at', labels: [bug.id, 'Needs design'] });
    const { page } = await browser.signedIn('/p/LABEL/labels');
    for (const [path, text] of [
      ['/p/LABEL/labels', 'It fails.'],
      ['/p/LABEL/list', 'Looked at'],
      ['/p/LABEL/board', 'Looked at'],
    ] as const) {
      await goWithin(page, path);
      await page.getByText(text).first().waitFor({ state: 'attached' });
      await inEachLook(page, async (look, width) => {
        expect({ path, look, found: await accessibilityViolations(page) }).toEqual({ path, look, found: [] });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      });
    }
  });
});
