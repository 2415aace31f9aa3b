import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CodeHookResponse } from '../../../src/work/code/code.dto.js';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { aPerson, PASSWORD } from '../../support/callers.js';
import {
  aCodeHook,
  aPullRequest,
  aStatus,
  type CodeHook,
  deliver,
  someSha,
} from '../../support/code-deliveries.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  goWithin,
  inEachLook,
  noChromium,
  tabTo,
} from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { awaitChecks, listCode, pullUrl } from '../work/code/code-requests.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('code on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  let hook: CodeHook;
  let issue: Issue;
  const sha = someSha();
  const pull = (fields: Parameters<typeof aPullRequest>[0]) =>
    deliver(service, hook, 'pull_request', aPullRequest({ number: 7, sha, branch: issue.key, ...fields }));
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'CODE', name: 'Code' });
    hook = await aCodeHook(service.owner, project);
    issue = await anIssue(service.owner, project, { title: 'Has a pull request' });
    await pull({ title: 'Write the parser' });
  });

  it('shows the pull requests of an issue with their checks, and follows them', async () => {
    await awaitChecks(service.owner, issue);
    const { page, problems } = await browser.signedIn(`/i/${issue.key}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const card = page.getByRole('region', { name: 'Code' });
    await card.getByRole('link', { name: 'Write the parser' }).waitFor();
    await card.getByText('Pull request, open').waitFor();
    await page.getByText('It waits until the checks of its pull requests pass.').first().waitFor();
    await deliver(service, hook, 'status', aStatus(sha, 'pending'));
    await card.getByText('Checks run').waitFor();
    await deliver(service, hook, 'status', aStatus(sha, 'failure'));
    await card.getByText('Checks fail').waitFor();
    await page.getByText('ended the wait:').waitFor();
    for (const view of ['board', 'list']) {
      await goWithin(page, `/p/CODE/${view}`);
      const words = page
        .locator(`[data-issue="${issue.key}"]`)
        .getByText('1 open pull request, checks of 1 fail');
      await words.waitFor({ state: 'attached' });
    }
    expect(problems).toEqual([]);
  });

  it('lets a person go on without the checks', async () => {
    const waiting = await anIssue(service.owner, project, { title: 'Waits in vain' });
    await awaitChecks(service.owner, waiting, { until: 'merged' });
    const { page, problems } = await browser.signedIn(`/i/${waiting.key}`);
    await page.getByText('The issue waits until they are merged.').waitFor();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('The issue waits until they are merged.').waitFor({ state: 'detached' });
    const { body } = await service.owner.get<Issue>(`/api/projects/issues/${waiting.id}`);
    expect(body.status).toBe('Open');
    expect(problems).toEqual([]);
  });

  it('adds and removes a link by its address, with the refusal of the service', async () => {
    const other = await anIssue(service.owner, project, { title: 'Gets a link' });
    const { page, problems } = await browser.signedIn(`/i/${other.key}`);
    browser.mayNote('status of 400');
    await tabTo(page, page.getByRole('button', { name: 'Add code' }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Address').fill('https://github.com/acme/web');
    await page.keyboard.press('Enter');
    await page.getByText('must be the address of a branch, commit or pull request').waitFor();
    await page.getByLabel('Address').fill('https://github.com/Codertocat/Hello-World/pull/8');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Code' });
    await card.getByRole('link', { name: 'Codertocat/Hello-World#8' }).waitFor();
    expect(await listCode(service.owner, other)).toMatchObject([{ url: pullUrl(8) }]);
    await card.getByRole('button', { name: 'Remove Codertocat/Hello-World#8' }).click();
    await card.getByText('No branch or pull request.').waitFor();
    expect(await listCode(service.owner, other)).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('connects a code host with a secret that is shown once, and disconnects it', async () => {
    await aProject(service.owner, { key: 'HOST', name: 'Hosts' });
    const hooks = async () =>
      (await service.owner.get<Wire<CodeHookResponse>[]>('/api/projects/HOST/code-hooks')).body;
    const { page, problems } = await browser.signedIn('/p/HOST/code');
    browser.mayNote('status of 400');
    await page.getByRole('button', { name: 'Connect a code host' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code host').selectOption('gitlab');
    await dialog.getByLabel('Repositories').fill('https://gitlab.com/acme/web\nacme/api');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('acme/api must be an address').waitFor();
    await dialog.getByLabel('Repositories').fill('https://gitlab.com/acme/web');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Copy the secret now').waitFor();
    await dialog.getByRole('button', { name: 'Copy Secret' }).waitFor();
    const [made] = await hooks();
    expect(made).toMatchObject({ provider: 'gitlab', repositories: ['https://gitlab.com/acme/web'] });
    await dialog.getByRole('region', { name: 'Address' }).getByText(made!.path).waitFor();
    await dialog.getByText('Signing token').waitFor();
    await inEachLook(page, async (look) => {
      expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
      await picture(page, `secret-${look}`);
    });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit GitLab' }).click();
    await dialog.getByLabel('Repositories').fill('https://gitlab.com/acme/api');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('GitLab is changed').waitFor();
    expect(await hooks()).toMatchObject([{ repositories: ['https://gitlab.com/acme/api'] }]);
    await page.getByRole('button', { name: 'Disconnect GitLab' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No code host is connected').waitFor();
    expect(await hooks()).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('lets an Editor see the code hosts, and a Viewer the code alone', async () => {
    const editor = await aPerson(service, 'Editor');
    const { page } = await browser.signedIn('/p/CODE/code', { ...editor, password: PASSWORD });
    await page.getByText('GitHub', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Connect|Edit |Disconnect)/ }).count()).toBe(0);
    const viewer = await aPerson(service, 'Viewer');
    const second = await browser.signedIn(`/i/${issue.key}`, { ...viewer, password: PASSWORD });
    await second.page.getByRole('link', { name: 'Write the parser' }).waitFor();
    expect(await second.page.getByRole('button', { name: /Add code|Remove/ }).count()).toBe(0);
  });

  it('is accessible in each look, and no wider than the window', async () => {
    await pull({ number: 9, fork: true, branch: 'x', title: `${issue.key} by a stranger`, sha: someSha() });
    const { page } = await browser.signedIn('/p/CODE/code');
    for (const [path, text] of [
      ['/p/CODE/code', 'https://github.com/codertocat/hello-world'],
      [`/i/${issue.key}`, 'By an outsider'],
      ['/p/CODE/board', issue.title],
      ['/p/CODE/list', issue.title],
    ] as const) {
      await goWithin(page, path);
      await page.getByText(text).first().waitFor({ state: 'attached' });
      await inEachLook(page, async (look, width) => {
        expect({ path, look, found: await accessibilityViolations(page) }).toEqual({ path, look, found: [] });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
        await picture(page, `${path}-${look}`);
      });
    }
  });
});

/** Takes a picture where someone wants to look at it. */
async function picture(
  page: { screenshot: (options: object) => Promise<unknown> },
  name: string,
): Promise<void> {
  const folder = process.env['PICTURES_OF_CODE'];
  if (folder)
    await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
}
