import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  hasFocus,
  inEachLook,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { OneConnection } from '../../support/database-of.js';
import { useService } from '../../support/service.js';
import { anAttachment, attachmentsOf } from '../work/attachments.forms.js';
import { exported, filesOf, issuesIn } from '../work/imports/import-requests.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const line = (value: object) => `${JSON.stringify(value)}\n`;
const aFile = (...lines: object[]) => ({
  name: 'acme.ndjson',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    [{ kind: 'project', format: 'agent-work-platform', version: 1 }, ...lines, { kind: 'end' }]
      .map(line)
      .join(''),
  ),
});
const issue = (externalId: string, more: object = {}) => ({
  ...{ kind: 'issue', externalId, title: `Issue ${externalId}`, status: 'Open' },
  ...more,
});
const blocks = (source: string, target: string) => ({ kind: 'link', linkType: 'Blocks', source, target });

inBrowser('imports and exports in the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'BRING', name: 'Bring' });
  });

  it('sends a file by keyboard, shows how far it is, and says what was left out and why', async () => {
    const { page, problems } = await browser.signedIn('/p/BRING/imports');
    const submit = page.getByRole('button', { name: 'Import', exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await tabTo(page, page.getByLabel('From'));
    await page.keyboard.press('ArrowDown');
    await page.getByText('The issues.jsonl of the folder .beads.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText('An export of a project').waitFor();
    const file = page.getByLabel('File', { exact: true });
    await tabTo(page, file);
    const lines = [issue('a', { assignee: 'No One' }), issue('b'), blocks('a', 'b'), blocks('b', 'a')];
    await file.setInputFiles(aFile(...lines));
    const holder = await OneConnection.open(service.databaseUrl);
    await holder.rows('BEGIN');
    await holder.rows('SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE', [project.id]);
    await tabTo(page, submit);
    await page.keyboard.press('Enter');
    await page.getByText('The import has begun').waitFor();
    const row = page.getByRole('row', { name: /Agent Work Platform/ });
    await row.getByText('0 of 4 objects').waitFor();
    await row.getByRole('progressbar', { name: '0 of 4 objects' }).waitFor();
    await holder.rows('COMMIT');
    await holder.end();
    // The page hears of the end by itself.
    await row.getByText('Completed').waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['3', '0', '1']));
    const report = row.getByRole('button', { name: 'Report of the import from Agent Work Platform' });
    await tabTo(page, report);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 objects made, 0 changed, 1 left out.').waitFor();
    await dialog.getByRole('row', { name: /1 assignee No One/ }).waitFor();
    await dialog.getByRole('row', { name: /5 Blocks from b to a left out: .*cycle/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const link = dialog.getByRole('link', { name: 'Download the report' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(JSON.parse(await readFile((await download.path())!, 'utf8'))).toMatchObject({
      state: 'completed',
      errors: [{ line: 5 }],
    });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await report.evaluate(hasFocus)).toBe(true);
    expect((await issuesIn(service.owner, project)).map(({ title }) => title)).toEqual([
      'Issue a',
      'Issue b',
    ]);
    expect(problems).toEqual([]);
  });

  it('says that a file is none of its format, and what the service refuses', async () => {
    const place = await aProject(service.owner, { key: 'WRONG', name: 'Wrong' });
    const { page } = await browser.signedIn('/p/WRONG/imports');
    browser.mayNote('status of 400');
    const file = page.getByLabel('File', { exact: true });
    await page.getByLabel('From').selectOption({ label: 'GitHub' });
    await file.setInputFiles({ name: 'x.json', mimeType: 'text/plain', buffer: Buffer.from('nothing') });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const row = page.getByRole('row', { name: /GitHub/ });
    await row.getByText('Failed').waitFor();
    await row.getByRole('button', { name: /Report/ }).click();
    await page.getByRole('dialog').getByText('No record of the file can be read as github').waitFor();
    await page.keyboard.press('Escape');
    await file.setInputFiles({ name: 'x.json', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('alert').getByText('the body must be a file that is not empty').waitFor();
    expect(await issuesIn(service.owner, place)).toEqual([]);
  });

  it('exports a project to Editors, also with its attachments, and imports only for Admins', async () => {
    const place = await aProject(service.owner, { key: 'TAKE', name: 'Take' });
    const one = await anIssue(service.owner, place);
    const { id } = await anAttachment(service.owner, one);
    const editor = await aPerson(service, 'Editor');
    const { page, problems } = await browser.signedIn('/p/TAKE/board', { ...editor, password: PASSWORD });
    await page.getByRole('link', { name: 'Import and export' }).click();
    const taken = async (name: string) => {
      const link = page.getByRole('link', { name: `Download ${name}` });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toBe(name);
      return readFile((await download.path())!);
    };
    expect((await taken('TAKE.ndjson')).toString()).toBe(await exported(service.owner, place));
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
    await page.getByLabel('With the attachments').check();
    const files = await filesOf(await taken('TAKE.tar'));
    expect([...files.keys()]).toEqual(['export.ndjson', `attachments/${id}`, 'end.json']);
    expect(problems).toEqual([]);
    const viewer = await aPerson(service, 'Viewer');
    const other = await browser.signedIn('/p/TAKE/imports', { ...viewer, password: PASSWORD });
    await other.page.getByText('Only Editors export a project').waitFor();
    expect(await other.page.getByRole('link', { name: 'Import and export' }).count()).toBe(0);
  });

  it('brings the archive of an export back, with its attachments', async () => {
    const from = await aProject(service.owner);
    await anAttachment(service.owner, await anIssue(service.owner, from));
    const archive = await service.owner.get(`/api/projects/${from.id}/export?attachments=true`);
    const place = await aProject(service.owner, { key: 'BACK', name: 'Back' });
    const { page, problems } = await browser.signedIn('/p/BACK/imports');
    const file = { name: 'FROM.tar', mimeType: 'application/octet-stream', buffer: archive.bytes };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('row', { name: /Completed/ }).waitFor();
    const [one] = await issuesIn(service.owner, place);
    expect((await service.owner.get(attachmentsOf(one!))).body).toMatchObject([{ filename: 'notes.txt' }]);
    expect(problems).toEqual([]);
  });

  it('is accessible in each look, and no wider than the window', async () => {
    const { page } = await browser.signedIn('/p/BRING/imports');
    await page.getByRole('row', { name: /Completed/ }).waitFor();
    const isFine = async (look: string, width: number) => {
      expect({ look, found: await accessibilityViolations(page) }).toEqual({ look, found: [] });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    await inEachLook(page, isFine);
    await page
      .getByRole('button', { name: /Report/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('objects made').waitFor();
    await inEachLook(page, isFine);
  });
});
