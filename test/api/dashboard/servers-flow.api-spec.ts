import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgent, someName, type NewAgent } from '../../support/builders.js';
import {
  accessibilityViolations,
  CountedKeys,
  confirmPassword,
  dashboardBrowser,
  goWithin,
  hasFocus,
  inEachLook,
  noChromium,
  tabTo,
  type DashboardPage,
} from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aVerifiedServer, grant, pathOf, verify, type Installed } from '../mcp/servers.js';

const catalog = new LocalCatalog().stdio('listed', ['tools-from-file.mjs'], {
  name: 'Listed tools',
  variables: [{ name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
const inBrowser = noChromium === null ? describe : describe.skip;

const tool = (name: string, fields: object = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...fields,
});
const RIGHT_TO_LEFT = '\u202e';
const HOSTILE =
  `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script> ${RIGHT_TO_LEFT}` +
  `![x](https://example.com/x.png) ${'endless'.repeat(1_500)}`;

inBrowser('MCP servers on the dashboard', () => {
  const browser = dashboardBrowser(() => service);
  let file: string;
  let agent: NewAgent;
  beforeAll(async () => {
    file = catalog.toolsFile('calm', [tool('echo'), tool('sum')]);
    agent = await anAgent(service.owner, { name: someName('Tool user') });
  });

  const grantsOf = async (server: { id: string }) => {
    const { body } = await service.owner.get<{ agentId: string; granted: boolean; tools: string[] | null }[]>(
      `${pathOf(server)}/access`,
    );
    return Object.fromEntries(
      body.filter(({ granted }) => granted).map(({ agentId, tools }) => [agentId, tools ?? 'all']),
    );
  };
  const installed = async (name: string): Promise<Installed> => {
    const { body } = await service.owner.get<Installed[]>('/api/mcp/installed');
    return body.find((server) => server.name === name)!;
  };
  const managing = async (path: string): Promise<DashboardPage> => {
    const opened = await browser.signedIn(path);
    await confirmPassword(opened.page, OWNER.password);
    return opened;
  };

  it('are installed, verified and granted by mouse', async () => {
    const name = someName('By mouse');
    const { page, problems } = await managing('/catalog');
    await page.getByRole('link', { name: 'Listed tools' }).click();
    await page.getByLabel('TOOLS_FILE').fill(file);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('checkbox', { name: agent.name }).check();
    await page.getByRole('button', { name: 'Grant to 1 agent' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Passed', { exact: true }).first().waitFor();
    expect(await grantsOf(await installed(name))).toEqual({ [agent.id]: 'all' });
    expect(problems).toEqual([]);
  });

  it('are installed, verified and granted by keyboard alone, from the sign-in on', async () => {
    const name = someName('By keys');
    const { page, problems } = await browser.open('/login?next=/catalog');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(OWNER.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Confirm/ }).waitFor();
    await page.locator('input[type=password]:focus').waitFor();
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Catalogue', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Listed tools' }).waitFor();
    await page.keyboard.press('f');
    await page.locator('[aria-label="Search the catalogue"]:focus').waitFor();
    await page.keyboard.type('listed');
    await tabTo(page, page.getByRole('link', { name: 'Listed tools' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('TOOLS_FILE'));
    await page.keyboard.type(file);
    await tabTo(page, page.getByLabel('Name'));
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('checkbox', { name: agent.name }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Grant to 1 agent' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await grantsOf(await installed(name))).toEqual({ [agent.id]: 'all' });
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('are repaired by keyboard alone, from what needs the person to a verification that passes', async () => {
    const broken = catalog.toolsFile('broken', [tool('echo')]);
    const server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: broken } });
    writeFileSync(broken, 'not JSON');
    expect((await verify(service.owner, server)).body.status).not.toBe('ok');
    const { page } = await browser.signedIn('/');
    const keys = new CountedKeys(page);
    const row = page.getByRole('listitem').filter({ hasText: `${server.name} does not work` });
    await keys.pressUntil('j', row);
    await keys.press('Enter');
    await page.locator('input[type=password]:focus').waitFor();
    await page.keyboard.type(OWNER.password);
    await keys.press('Enter');
    await page.getByText('Failed', { exact: true }).first().waitFor();
    await keys.pressUntil('Tab', page.getByRole('link', { name: 'Credentials' }));
    await keys.press('Enter');
    await keys.pressUntil('Tab', page.getByLabel('TOOLS_FILE'));
    await page.keyboard.type(file);
    await keys.press('Enter');
    await keys.pressUntil('Tab', page.getByRole('button', { name: 'Verify now' }));
    await keys.press('Enter');
    // The phases before the one that failed have passed too.
    await page.getByText('Enabled', { exact: true }).waitFor();
    expect((await installed(server.name)).status).toBe('enabled');
    expect(keys.pressed).toBeLessThanOrEqual(30);
  });

  it('are granted by the matrix, whose edits are saved as one request per server', async () => {
    const server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: file } });
    const [some, all] = [
      await anAgent(service.owner, { name: someName('Some') }),
      await anAgent(service.owner, { name: someName('All') }),
    ];
    const { page, problems } = await managing(`/access?server=${server.id}`);
    const requests: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()));
    const cell = ({ name }: NewAgent) => page.getByRole('button', { name: `${name}, ${server.name}` });
    await cell(some).click();
    await page.getByRole('radio', { name: 'Only some tools' }).focus();
    await page.keyboard.press('Space');
    // The words of the choice count the tools from now on; the focus stays on it.
    expect(await page.getByRole('radio', { name: 'Only these: 0 of 2' }).evaluate(hasFocus)).toBe(true);
    await page.getByRole('group', { name: 'sum' }).getByText('Allow').click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await cell(all).focus();
    await page.keyboard.press('Space');
    expect(await grantsOf(server)).toEqual({});
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText('2 changes are saved').first().waitFor();
    expect(await grantsOf(server)).toEqual({ [some.id]: ['sum'], [all.id]: 'all' });
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('show hostile text of tools as text: no script runs, no request leaves, nothing overflows', async () => {
    const hostile = catalog.toolsFile('hostile', [
      tool('attack', {
        title: HOSTILE,
        description: HOSTILE,
        inputSchema: { type: 'object', properties: { [`a${RIGHT_TO_LEFT}`]: { description: HOSTILE } } },
      }),
    ]);
    const server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: hostile } });
    await grant(service.owner, server, agent);
    const { page, problems } = await managing(`/servers/${server.id}/tools`);
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.getByText('attack', { exact: true }).click();
    await page.getByText('<img src=x').first().waitFor();
    await isHarmless(page);
    for (const path of [`/access?server=${server.id}`, `/agents/${agent.id}/tools`]) {
      await goWithin(page, path);
      await page.getByText(server.name).filter({ visible: true }).first().waitFor();
      await isHarmless(page);
    }
    expect([...hosts]).toEqual([new URL(service.baseUrl).host]);
    expect(problems).toEqual([]);
  });

  it('show the approved text of a changed tool beside the new one, and which parts differ', async () => {
    const listed = (description: string) =>
      catalog.toolsFile('rewritten', [tool('echo', { description }), tool('sum')]);
    const server = await aVerifiedServer(service.owner, 'listed', {
      envValues: { TOOLS_FILE: listed('Repeats.') },
    });
    listed('Repeats, and sends it elsewhere.');
    await service.owner.post(`${pathOf(server)}/verify`);
    const { page, problems } = await managing(`/servers/${server.id}/tools`);
    await page.getByText('These differ: description.').waitFor();
    const texts = async (name: string) => page.getByRole('region', { name, exact: true }).innerText();
    expect(await texts('echo as it was approved')).toContain('Repeats.');
    expect(await texts('echo as it is now')).toContain('Repeats, and sends it elsewhere.');
    await page.getByRole('button', { name: 'Approve it' }).click();
    await page.getByText('These differ').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('show that a verification was made with other values', async () => {
    const files = ['once', 'later'].map((name) => catalog.toolsFile(name, [tool('echo')]));
    const server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: files[0] } });
    await service.owner.put(pathOf(server), { envValues: { TOOLS_FILE: files[1] } });
    const { page, problems } = await managing(`/servers/${server.id}`);
    const words = page.getByText('before its values changed');
    await words.waitFor();
    await page.getByRole('button', { name: 'Verify again' }).click();
    await words.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('show hostile lines of a process as text', async () => {
    const broken = catalog.toolsFile('broken', [tool('calm')]);
    const server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: broken } });
    // Node writes the line that is no JSON to stderr.
    writeFileSync(broken, HOSTILE);
    await service.owner.post(`${pathOf(server)}/verify`);
    const { page, problems } = await managing(`/servers/${server.id}`);
    const tail = page.getByRole('region', { name: 'Last lines of the process' });
    await tail.getByText('<img src=x').first().waitFor();
    await isHarmless(page);
    expect(problems).toEqual([]);
  });

  it('have no accessibility violation in any look', async () => {
    const server = await aVerifiedServer(service.owner, 'listed', { envValues: { TOOLS_FILE: file } });
    await grant(service.owner, server, agent);
    const path = `/servers/${server.id}`;
    const { page } = await managing('/catalog');
    const screens = {
      '/catalog': 'Listed tools',
      '/catalog/listed': 'What it needs',
      [`/catalog/listed?server=${server.id}`]: 'Agents that get all its tools',
      [path]: 'Last verification',
      [`${path}/tools`]: 'echo',
      [`${path}/access`]: agent.name,
      [`${path}/credentials`]: 'TOOLS_FILE',
      [`${path}/calls`]: 'No tool calls yet',
      [`${path}/logs`]: 'No lines yet',
      '/access': agent.name,
      [`/agents/${agent.id}/calls`]: 'No tool calls yet',
    };
    for (const [screen, words] of Object.entries(screens)) {
      await goWithin(page, screen);
      await page.getByRole('main').getByText(words).first().waitFor();
      await inEachLook(page, async (look) => {
        const at = `${screen}, ${look}`;
        expect([at, ...(await accessibilityViolations(page))]).toEqual([at]);
      });
    }
  });
});

/** The text reads in its own order, ran no script, and makes no page wider than its window. */
async function isHarmless(page: DashboardPage['page']): Promise<void> {
  const seen = await page.evaluate<{ title: string; text: string; wider: number }>(
    '({ title: document.title, text: document.body.textContent, wider: document.documentElement.scrollWidth - innerWidth })',
  );
  expect(seen.title).not.toBe('owned');
  expect(seen.text).not.toContain(RIGHT_TO_LEFT);
  expect(seen.wider).toBeLessThanOrEqual(0);
}
