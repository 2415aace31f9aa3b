import { appendFile, truncate } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aComment, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  hasFocus,
  inEachLook,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { callOf } from '../gateway/approval-setting.js';
import { take, type LeaseHolder } from '../gateway/lease-setting.js';
import { grant, installed, type Installed } from '../gateway/mcp-setting.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { tryOut } from '../mcp/servers.js';
import { anAttachment, file } from '../work/attachments.forms.js';
import { keptOf } from '../work/attachments.stores.js';
import { answer, aQuestion } from '../work/gates/gate-requests.js';

const catalog = new LocalCatalog().stdio('tools', ['misbehaving.mjs', 'stderr-flood']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
const inBrowser = noChromium === null ? describe : describe.skip;

/** A picture of one red point. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

inBrowser('the work on an issue', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let server: Installed;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'RUN', name: 'Runs' });
    server = await installed(service, 'tools');
  });

  const report = (agent: Caller, { issueId, token }: LeaseHolder, fields: object) =>
    agent.put(`/api/projects/issues/${issueId}/run`, { token, ...fields });

  /** An issue that an agent works on: a comment, two calls of which one is refused, and a run that is reported. */
  const worked = async (title: string): Promise<{ agent: Caller; held: LeaseHolder; issue: Issue }> => {
    const agent = await asAgent(service);
    await grant(service, server, agent, ['echo']);
    const issue = await anIssue(service.owner, project, { title, assignedAgentId: agent.id });
    const held = await take(agent, service, issue);
    await callOf(held.caller, server, 'echo', { text: 'hello' });
    await callOf(held.caller, server, 'flood');
    await aComment(agent, issue, 'I have begun.');
    await report(agent, held, { turns: 1, output: 'Reading.\nWriting.' });
    const path = `/api/projects/issues/${issue.id}/calls`;
    await until(async () => (await service.owner.get<unknown[]>(path)).body.length === 2);
    return { agent, held, issue };
  };
  const lanesOf = (page: Page) => page.getByRole('region', { name: 'Where the time went' });
  const timelineOf = (page: Page) => page.getByRole('region', { name: 'Timeline' });

  it('is shown as lanes over time, and a mark narrows the timeline to its time', async () => {
    const { agent, issue } = await worked('Asks a person');
    const gate = await aQuestion(agent, issue, { question: 'May it be published?', options: ['Yes', 'No'] });
    await answer(service.owner, gate, { option: 'Yes' });
    await aComment(service.owner, issue, 'Said long after.');
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    const lanes = lanesOf(page);
    await lanes.getByText(/^Worked on for .+ in 1 lease · waited .+ for answers$/).waitFor();
    for (const [lane, mark] of [
      ['Leases', /^Lease of .+, 1 turn/],
      ['Turns', /2 calls, 1 without success/],
      ['Tool calls', /echo of|2 tool calls, 1 without success/],
      ['Questions', /“May it be published\?”, answered by/],
    ] as const)
      await lanes.getByRole('group', { name: lane }).getByRole('button', { name: mark }).waitFor();
    await lanes.getByRole('button', { name: /^“May it be published/ }).click();
    const timeline = timelineOf(page);
    await timeline.getByText(/^\d+ of \d+ in the chosen time$/).waitFor();
    await timeline.getByText('asked a person').waitFor();
    await timeline.getByText('answered Yes to “May it be published?”').waitFor();
    await lanes.getByRole('button', { name: 'Show everything' }).click();
    await timeline.getByText('created the issue').waitFor();
    expect(problems).toEqual([]);
  });

  it('grows in its lanes while one looks', async () => {
    const { agent, issue } = await worked('Goes on');
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    const lease = lanesOf(page).getByRole('button', { name: /^Lease of .+ until now$/ });
    await lease.waitFor();
    const comments = lanesOf(page).getByRole('group', { name: 'Comments' }).getByRole('button');
    await comments.first().waitFor();
    const words = () => comments.last().getAttribute('aria-label');
    const before = await words();
    await aComment(agent, issue, 'Still at it.');
    await until(async () => (await words()) !== before || (await comments.count()) > 1);
    expect(problems).toEqual([]);
  });

  it('is read by keyboard: one stop of the tabulator key, arrows among the marks, and a table', async () => {
    const { issue } = await worked('By keys');
    const { page } = await browser.signedIn(`/i/${issue.key}`);
    const lanes = lanesOf(page);
    const marks = lanes.locator('[data-lane] button');
    await lanes.getByRole('group', { name: 'Comments' }).getByRole('button').first().waitFor();
    expect(await marks.and(page.locator('[tabindex="0"]')).count()).toBe(1);
    await tabTo(page, marks.and(page.locator('[tabindex="0"]')));
    await page.keyboard.press('ArrowDown');
    const lease = lanes.getByRole('button', { name: /^Lease of/ });
    expect(await lease.evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Enter');
    await timelineOf(page)
      .getByText(/in the chosen time$/)
      .waitFor();
    expect(await lease.getAttribute('aria-pressed')).toBe('true');
    await lanes.getByText('Table', { exact: true }).click();
    const table = lanes.getByRole('region', { name: 'What happened, newest first' });
    await table.getByText(/echo of .+: done, \d+ ms/).waitFor();
    await table.getByText(/flood of .+: refused/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is filtered by kind, and stays in the order that a person chose', async () => {
    const { issue } = await worked('Has an order');
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    const timeline = timelineOf(page);
    const entries = timeline.getByRole('listitem');
    await timeline.getByText('I have begun.').waitFor();
    expect(await entries.first().textContent()).toContain('created the issue');
    await timeline.getByText('Newest first').click();
    await until(async () => (await entries.last().textContent())?.includes('created the issue') ?? false);
    await timeline.getByLabel('What is shown').selectOption('comments');
    await until(async () => (await entries.count()) === 1);
    await timeline.getByLabel('What is shown').selectOption('runs');
    await timeline.getByText('picked it up').waitFor();
    expect(await timeline.getByText('I have begun.').count()).toBe(0);
    await page.reload();
    await timeline.getByText('I have begun.').waitFor();
    expect(await entries.last().textContent()).toContain('created the issue');
    expect(problems).toEqual([]);
  });

  it('has its output followed line by line, and paused', async () => {
    const { agent, held, issue } = await worked('Writes lines');
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByRole('button', { name: /^Log/ }).click();
    const lines = page.getByRole('region', { name: /^Lines of the output of/ });
    await lines.getByText('Writing.').waitFor();
    await report(agent, held, { output: 'Writing.\nTesting.' });
    await lines.getByText('Testing.').waitFor();
    expect(await lines.getByText('Reading.').count()).toBe(1);
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.getByText('Running').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await report(agent, held, { output: 'Testing.\nDone.', turns: 7, tokens: 4_500 });
    await runs.getByText('7 turns · 4.5K tokens').waitFor();
    expect(await lines.getByText('Done.').count()).toBe(0);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await lines.getByText('Done.').waitFor();
    expect(problems).toEqual([]);
  });

  it('has a log of a gigabyte read from its end, searched, and read backwards, in parts', async () => {
    const { agent, held, issue } = await worked('Writes a gigabyte');
    const log = await anAttachment(agent, issue, file('first line\n', { filename: 'run.log' }));
    const path = keptOf(service).fileOf(log.id);
    const GIGABYTE = 1_000_000_000;
    const tail = Array.from({ length: 40_000 }, (_, at) => `line ${at} of the end\n`).join('');
    await truncate(path, GIGABYTE - tail.length);
    await appendFile(path, tail);
    await service.sql(`UPDATE attachments SET size = $2 WHERE id = $1`, [log.id, GIGABYTE]);
    await report(agent, held, { logId: log.id, stopped: 'The agent ended its turn.' });
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    let loaded = 0;
    page.on('response', (response) => {
      if (response.url().includes('/download')) loaded += Number(response.headers()['content-length']);
    });
    await page.getByRole('button', { name: /^Log/ }).click();
    const lines = page.getByRole('region', { name: /^Lines of the log of/ });
    await page.getByText(/ of 1\.00 GB/).waitFor();
    await page.getByRole('region', { name: 'Runs' }).getByText('The agent ended its turn.').waitFor();
    await page.getByRole('button', { name: 'Jump to the end' }).click();
    await lines.getByText('line 39999 of the end').waitFor();
    expect(await lines.locator('[data-index]').count()).toBeLessThan(150);
    await page.getByLabel(/^Search the log of/).fill('line 38000 of');
    await page.getByText('1 of 1 lines').waitFor();
    await lines.getByText('line 38000 of the end').waitFor();
    const before = loaded;
    await lines.evaluate((element: { scrollTop: number }) => (element.scrollTop = 0));
    await until(() => loaded > before);
    expect(loaded).toBeLessThan(2_000_000);
    expect(problems).toEqual([]);
  });

  it('has pictures as thumbnails and texts in place, with keys from one to the next', async () => {
    const { agent, issue } = await worked('Has files');
    const shot = { filename: 'shot.png', type: 'image/png' };
    await anAttachment(agent, issue, file(PICTURE, shot));
    const hostile = '<script>document.title = "owned"</script>\nsecond line\n';
    await anAttachment(agent, issue, file(hostile, { filename: 'page.html', type: 'text/html' }));
    await anAttachment(agent, issue, file('a\0b', { filename: 'odd.txt', type: 'text/plain' }));
    await anAttachment(agent, issue, file('zip', { filename: 'all.zip', type: 'application/zip' }));
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    const facts = page.getByRole('complementary', { name: 'Facts' });
    await facts.getByRole('link', { name: 'all.zip' }).waitFor();
    const thumbnail = facts.getByRole('button', { name: 'Show the picture shot.png' });
    await thumbnail.click();
    const viewer = page.getByRole('dialog', { name: 'shot.png' });
    const picture = viewer.getByRole('img', { name: 'shot.png' });
    await picture.waitFor();
    const widthOf = async () => (await picture.boundingBox())?.width ?? 0;
    const fitted = await widthOf();
    await page.keyboard.press('+');
    await until(async () => (await widthOf()) > fitted);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowRight');
    const text = page.getByRole('dialog', { name: 'page.html' });
    await text.getByText('<script>document.title = "owned"</script>').waitFor();
    await text.getByText('2 of 3').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'odd.txt' }).getByText('are not a text').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(() => thumbnail.evaluate(hasFocus));
    expect(await page.title()).toContain(issue.key);
    expect(problems).toEqual([]);
  });

  it('is followed in the log of a server in the same way', async () => {
    await tryOut(service.owner, server, 'flood', { bytes: 0 });
    const { page, problems } = await browser.signedIn(`/servers/${server.id}/logs`);
    await confirmPassword(page, OWNER.password);
    const lines = page.getByRole('region', { name: 'Lines of the log' });
    await lines.getByText('the end of the flood').first().waitFor();
    await page.getByLabel('Search the log').fill('the end');
    await page.getByText(/^\d of \d lines$/).waitFor();
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('has no accessibility violation in any look, and fits in its window', async () => {
    const { agent, issue } = await worked('Looked at by axe');
    await aQuestion(agent, issue);
    await anAttachment(service.owner, issue, file(PICTURE, { filename: 'a.png', type: 'image/png' }));
    const { page } = await browser.signedIn(`/i/${issue.key}`);
    await lanesOf(page)
      .getByRole('button', { name: /^Lease of/ })
      .click();
    await page.getByRole('button', { name: /^Log/ }).click();
    await page.getByRole('region', { name: /^Lines of the output/ }).waitFor();
    await inEachLook(page, async (look) => {
      expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
      await until(() => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));
    });
  });
});
