import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aLabel,
  aProject,
  aSchedule,
  type Issue,
  type Project,
  type Schedule,
} from '../../support/builders.js';
import { aPerson, asAgent, PASSWORD } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  goWithin,
  inEachLook,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('schedules in the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'TIMES', name: 'Times' });
  });

  const schedules = async () =>
    (await service.owner.get<Schedule[]>(`/api/projects/${project.id}/schedules`)).body;
  const named = async (name: string) => (await schedules()).find((one) => one.name === name);

  it('makes one by keyboard, with its times in words and by the clock of the reader', async () => {
    const label = await aLabel(service.owner, project, { name: 'report, daily' });
    const agent = await asAgent(service);
    const { page, problems } = await browser.signedIn('/p/TIMES/schedules', OWNER, {
      timezoneId: 'Asia/Tokyo',
    });
    const create = page.getByRole('button', { name: 'New schedule' }).first();
    await tabTo(page, create);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Morning report');
    await dialog.getByText('At 09:00 on Monday to Friday').waitFor();
    await dialog.getByLabel('Times', { exact: true }).fill('30 2 * * mon');
    await dialog.getByText('At 02:30 on Monday').waitFor();
    await dialog.getByLabel('Time zone').selectOption('Asia/Dubai');
    // 02:30 on Monday in Dubai is 07:30 in Tokyo, where the browser is.
    const times = dialog.getByRole('region', { name: 'Next times' }).getByRole('listitem');
    await until(
      async () => (await times.allInnerTexts()).filter((text) => /Mon.*07:30/.test(text)).length === 5,
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByLabel('Title of each issue').fill('Report of {{date}}');
    await dialog.getByRole('button', { name: 'Choose labels' }).press('Enter');
    const labels = page.getByRole('combobox', { name: 'Labels of each issue' });
    await labels.fill('Report');
    await page.getByRole('option', { name: 'report, daily' }).waitFor();
    await labels.press('Enter');
    await until(async () => (await labels.inputValue()) === '');
    await labels.press('Escape');
    await dialog.getByLabel('Assign to').selectOption({ label: agent.name });
    await dialog.getByLabel('While the last issue is unresolved').selectOption('queue');
    await dialog.getByLabel('Title of each issue').press('Control+Enter');
    await page.getByText('The schedule Morning report is created').waitFor();
    const made = await named('Morning report');
    expect(made).toMatchObject({
      cron: '30 2 * * mon',
      timeZone: 'Asia/Dubai',
      policy: 'queue',
      template: { title: 'Report of {{date}}', assignedAgentId: agent.id, labels: [label.id] },
    });
    const row = page.getByRole('row', { name: /Morning report/ });
    await row.getByText(/Mon.*07:30/).waitFor();
    await row.getByRole('button', { name: 'Edit Morning report' }).click();
    await dialog.getByText('report, daily', { exact: true }).waitFor();
    await dialog.getByLabel('Title of each issue').fill('The report of {{date}}');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await page.getByText('The schedule Morning report is changed').waitFor();
    expect(await named('Morning report')).toMatchObject({
      ...{ cron: made!.cron, nextAt: made!.nextAt },
      template: { ...made!.template, title: 'The report of {{date}}' },
    });
    expect(problems).toEqual([]);
  });

  it('runs, disables and deletes one, and leads to its last issue', async () => {
    const schedule = await aSchedule(service.owner, project, {
      name: 'Yearly',
      template: { title: 'Inventory {{number}}' },
    });
    const { page, problems } = await browser.signedIn('/p/TIMES/schedules');
    const row = page.getByRole('row', { name: /Yearly/ });
    await row.getByRole('button', { name: 'Run Yearly now' }).click();
    await page.getByText('The schedule Yearly has created an issue').waitFor();
    await row.getByRole('button', { name: 'Disable Yearly' }).click();
    await row.getByText('Off').waitFor();
    expect(await named('Yearly')).toMatchObject({ enabled: false });
    await row.getByRole('link', { name: /the last issue of Yearly/ }).click();
    await page.getByRole('heading', { name: 'Inventory 1', level: 1 }).waitFor();
    await goWithin(page, '/p/TIMES/schedules');
    await row.getByRole('button', { name: 'Delete Yearly' }).click();
    await page.getByRole('dialog').getByText('Those that it has created stay').waitFor();
    await page.getByRole('button', { name: 'Delete schedule' }).click();
    await page.getByText('The schedule Yearly is deleted').waitFor();
    expect(await named('Yearly')).toBeUndefined();
    const { body } = await service.owner.get<Issue[]>(`/api/projects/${project.id}/issues?q=Inventory`);
    expect(body).toHaveLength(1);
    expect((await service.owner.get(`/api/projects/schedules/${schedule.id}`)).status).toBe(404);
    expect(problems).toEqual([]);
  });

  it('shows failures here and to those whom it concerns, and a Viewer no change', async () => {
    const place = await aProject(service.owner, { key: 'FAILS', name: 'Fails' });
    const label = await aLabel(service.owner, place);
    const schedule = await aSchedule(service.owner, place, {
      name: 'Broken',
      template: { title: 'x', labels: [label.id] },
    });
    const viewer = await aPerson(service, 'Viewer');
    const { page, problems } = await browser.signedIn('/p/FAILS/schedules', {
      ...viewer,
      password: PASSWORD,
    });
    const row = page.getByRole('row', { name: /Broken/ });
    await row.getByText('On', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /schedule|Broken/ }).count()).toBe(0);
    await page.getByText('Live', { exact: true }).waitFor();
    await service.owner.delete(`/api/projects/labels/${label.id}`);
    await service.sql(`UPDATE schedules SET next_at = date_trunc('minute', now()) WHERE id = $1`, [
      schedule.id,
    ]);
    await row.getByText('Failed once').waitFor();
    await row.getByText('names no label of this project').waitFor();
    await goWithin(page, '/');
    await page.getByRole('link', { name: /The schedule Broken could not create its issue/ }).click();
    await row.getByText('Failed once').waitFor();
    expect(problems).toEqual([]);
  });

  it('is accessible in each look, and no wider than the window', async () => {
    await aSchedule(service.owner, project, {
      name: 'A rather long name of a schedule that needs more than one line',
      cron: '*/10 8-17 1,15 jan-jun 1-5',
      timeZone: 'America/Argentina/Buenos_Aires',
      enabled: false,
    });
    const { page } = await browser.signedIn('/p/TIMES/schedules');
    await page.getByText('A rather long name').waitFor();
    const isFine = async (look: string, width: number) => {
      expect({ look, found: await accessibilityViolations(page) }).toEqual({ look, found: [] });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    await inEachLook(page, isFine);
    await page.getByRole('button', { name: 'Edit A rather long name' }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await inEachLook(page, isFine);
  });
});
