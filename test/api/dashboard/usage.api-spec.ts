import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type NewAgent,
  type Project,
} from '../../support/builders.js';
import { aPerson, PASSWORD, withKey } from '../../support/callers.js';
import { accessibilityViolations, dashboardBrowser, noChromium } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('usage and budgets on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let agent: NewAgent;
  let issue: Issue;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'USE', name: 'Usage' });
    agent = await anAgent(service.owner, { name: 'Spender' });
    issue = await anIssue(service.owner, project, { title: 'Costs a little', assignedAgentId: agent.id });
    const worker = withKey(service, agent.key);
    await worker.post('/api/agents/me/heartbeat', { capacity: 1 });
    const usage = [
      {
        reportId: randomUUID(),
        model: 'some-model',
        inputTokens: 12_345,
        outputTokens: 678,
        costMicros: 1_230_000,
      },
    ];
    await worker.post('/api/agents/me/turns', { issueId: issue.id, usage });
  });

  it('lists what an agent used, by what a person chooses, and keeps the choice in the address', async () => {
    const { page, problems } = await browser.signedIn(`/agents/${agent.id}/usage`);
    const table = page.getByRole('region', { name: 'Usage', exact: true });
    await table.getByText('12.3K').waitFor();
    await page.getByLabel('What it is listed by').selectOption('issue');
    await table.getByText(issue.key).waitFor();
    await page.getByLabel('The window').selectOption('7');
    await table.getByText('$1.23').waitFor();
    expect(page.url()).toMatch(/by=issue.*days=7/);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sets a budget, shows how much of it is used, and removes it', async () => {
    const { page, problems } = await browser.signedIn('/p/USE/usage');
    await page.getByRole('button', { name: 'Set a budget' }).click();
    await page.getByLabel('Cost, in US dollars').fill('2.5');
    await page.getByLabel('Counted').selectOption('month');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save the budget' }).click();
    await page.getByText('$1.23 of $2.50 per month').waitFor();
    const budget = async () => (await service.owner.get(`/api/projects/${project.id}/budget`)).body;
    expect(await budget()).toMatchObject({ costMicros: 2_500_000, period: 'month', tokens: null });
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Cost, in US dollars').fill('');
    await page.getByRole('button', { name: 'Save without a budget' }).click();
    await page.getByRole('button', { name: 'Set a budget' }).waitFor();
    expect(await budget()).toMatchObject({ costMicros: null, period: null });
    expect(problems).toEqual([]);
  });

  it('shows on an issue what it used, and a Viewer no budget to set', async () => {
    const { email } = await aPerson(service, 'Viewer');
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`, { email, password: PASSWORD });
    await page.getByRole('complementary', { name: 'Facts' }).getByText('$1.23').waitFor();
    await page.getByText('Tool calls', { exact: true }).first().click();
    await page.getByText('No tool calls yet').waitFor();
    expect(await page.getByRole('button', { name: 'Set a budget' }).count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
