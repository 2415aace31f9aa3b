import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { aProject, anIssue, someName, type Issue } from '../../support/builders.js';
import { confirmPassword, dashboardBrowser, noChromium } from '../../support/dashboard.js';
import { Person } from '../../support/person.js';
import { OWNER, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { resultOf } from '../gateway/approval-setting.js';
import { installed, type Installed } from '../gateway/mcp-setting.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aFleet, aWaitingCall, type Fleet } from './ten-tasks-world.js';

const catalog = new LocalCatalog().stdio('listed', ['tools-from-file.mjs'], {
  name: 'Listed tools',
  variables: [{ name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
});
// No test waits for the end of the wait for an approval.
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '300' } });
afterAll(() => catalog.remove());
const inBrowser = noChromium === null ? describe : describe.skip;

/** What the report measured: actions, and seconds with the loading of the page. */
const BEFORE: Record<string, string> = {
  'Find why an issue is stuck': '1 click, < 3 s, without the length of the chain',
  'Unblock it (chain of 20)': '2 clicks, not timed',
  'Answer a question': '2 clicks, 3.0 s',
  'Approve a tool call': '2 clicks after scrolling to row 15, 2.0 s',
  'Assign 10 issues, and undo': '12 clicks by count, not undone',
  'Create an issue with a blocker': 'c and 1 click, 3.1 s, by its key only',
  'Install, verify, grant to 3': '8 clicks and the password, 20.6 s with a download',
  'An agent’s day and its cost': '4 clicks, 3.6 s, without the day',
  'Find one among 2,000': '2 keys, 2.2 s, whole words of one project',
  'Pause all agents': '2 clicks, 3.0 s, on Agents only',
};

inBrowser('the ten tasks of the owner of a fleet', () => {
  const browser = dashboardBrowser(() => service);
  let fleet: Fleet;
  let server: Installed;
  let file: string;
  const measured: Record<string, Record<string, string>> = {};
  beforeAll(async () => {
    fleet = await aFleet(service);
    const schema = { type: 'object' };
    file = catalog.toolsFile(
      'three',
      ['read', 'write'].map((name) => ({ name, inputSchema: schema })),
    );
    server = await installed(service, 'listed', { envValues: { TOOLS_FILE: file } });
    // The sign-in is no part of a task.
    await (await browser.signedIn('/activity')).page.close();
  }, 120_000);
  afterAll(() => console.table(measured));

  /** Does a task from the loading of a page to its result, and notes what it took. */
  async function perform(
    task: string,
    { by, from, most }: { by: 'mouse' | 'keys'; from: string; most: number },
    act: (person: Person) => Promise<void>,
  ): Promise<void> {
    const began = Date.now();
    const { page, problems } = await browser.signedIn(from);
    await page.getByText('Live', { exact: true }).waitFor();
    const person = new Person(page);
    await act(person);
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    const { actions, texts, scrolls } = person;
    const beside = [
      texts > 0 ? `${texts} typed` : null,
      scrolls > 0 ? `${scrolls} scrolled to` : null,
      `${seconds} s`,
    ];
    Object.assign((measured[task] ??= { before: BEFORE[task]! }), {
      [by]: [actions, ...beside.filter((words) => words !== null)].join(', '),
    });
    expect(actions).toBeLessThanOrEqual(most);
    expect(problems).toEqual([]);
  }

  const issueOf = async ({ id }: { id: string }) =>
    (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;
  const rows = (page: Page) => page.locator('[data-cause]');
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

  it('finds why an issue is stuck', async () => {
    const task = 'Find why an issue is stuck';
    const { root, last } = fleet.chains[0]!;
    const explained = async (page: Page) => {
      const why = page.getByRole('region', { name: 'Why is this stuck?' });
      await why.getByText(`${root.key} holds it up.`).waitFor();
      await why.getByText('17 issues between').waitFor();
    };
    await perform(task, { by: 'mouse', from: '/p/PAY/board', most: 1 }, async (person) => {
      await person.click(person.page.locator(`[data-issue="${last.key}"] h3 a`));
      await explained(person.page);
    });
    await perform(task, { by: 'keys', from: '/activity', most: 2 }, async (person) => {
      await person.press('/');
      await person.type(last.key);
      await person.press('Enter');
      await explained(person.page);
    });
  });

  it('unblocks a chain of 20', async () => {
    const task = 'Unblock it (chain of 20)';
    const [mouse, keys] = fleet.chains;
    const isUnblocked = ({ root }: { root: Issue }) =>
      until(async () => (await issueOf(root)).status === 'Open');
    await perform(task, { by: 'mouse', from: `/i/${mouse!.last.key}`, most: 2 }, async (person) => {
      await person.click(person.page.getByRole('link', { name: `Open ${mouse!.root.key}` }));
      await person.click(person.page.getByRole('button', { name: 'Go on', exact: true }));
      await isUnblocked(mouse!);
    });
    // What holds up most is the first cause: the issue of the question, and those behind it.
    await perform(task, { by: 'keys', from: `/i/${keys!.last.key}`, most: 4 }, async (person) => {
      await person.press('g', 'n');
      await rows(person.page).first().getByText('holds up 20 issues').waitFor();
      await person.press('j', '1');
      await isUnblocked(keys!);
    });
  });

  it('answers a question', async () => {
    const task = 'Answer a question';
    const questions = (page: Page) => rows(page).filter({ hasText: 'How long shall they be kept?' });
    const isAnswered = async (page: Page, act: (row: Locator) => Promise<void>) => {
      const id = await questions(page).first().getAttribute('data-cause');
      await act(page.locator(`[data-cause="${id}"]`));
      await page.locator(`[data-cause="${id}"]`).waitFor({ state: 'detached' });
    };
    await perform(task, { by: 'mouse', from: '/?tab=decide', most: 1 }, (person) =>
      isAnswered(person.page, (row) => person.click(row.getByRole('button', { name: '30 days' }))),
    );
    await perform(task, { by: 'keys', from: '/?tab=decide', most: 6 }, (person) =>
      isAnswered(person.page, async (row) => {
        await person.pressUntil('j', row);
        await person.press('1');
      }),
    );
  });

  it('approves a tool call', async () => {
    const task = 'Approve a tool call';
    const ways = { mouse: 1, keys: 12 } as const;
    for (const by of ['mouse', 'keys'] as const) {
      const { issue, answer } = await aWaitingCall(service, fleet, server);
      await perform(task, { by, from: '/', most: ways[by] }, async (person) => {
        const row = rows(person.page).filter({ hasText: issue.key });
        await row.getByText('"path": "notes.txt"').waitFor();
        if (by === 'mouse') await person.click(row.getByRole('button', { name: 'Approve' }));
        else {
          await person.pressUntil('j', row);
          await person.press('1');
        }
        expect(resultOf(await answer).isError).toBeFalsy();
      });
    }
  });

  it('assigns ten issues, and takes it back', async () => {
    const task = 'Assign 10 issues, and undo';
    const from = '/p/PAY/list?q=reconcile&sort=-priority';
    const isBack = async (person: Person, undo: () => Promise<void>) => {
      await person.page.getByText('10 assigned to cedar').waitFor();
      const before = person.actions;
      await undo();
      await person.page.getByText('10 as before').waitFor();
      expect(person.actions - before).toBe(1);
    };
    await perform(task, { by: 'mouse', from, most: 5 }, async (person) => {
      const boxes = person.page.getByRole('checkbox', { name: /^Choose PAY-/ });
      await person.click(boxes.nth(0));
      await person.click(boxes.nth(9), { modifiers: ['Shift'] });
      await person.click(person.page.getByRole('button', { name: 'Assign', exact: true }));
      await person.click(person.page.getByRole('option', { name: 'cedar' }));
      await isBack(person, () => person.click(person.page.getByRole('button', { name: 'Undo' })));
    });
    await perform(task, { by: 'keys', from, most: 13 }, async (person) => {
      await person.page.locator('[data-issue]').nth(9).waitFor();
      await person.press('j', ...Array<string>(9).fill('Shift+ArrowDown'));
      await person.page.getByText('10 chosen').waitFor();
      await person.press('a');
      await person.type('cedar');
      await person.press('Enter');
      await isBack(person, () => person.press('z'));
    });
  });

  it('creates an issue with a blocker of another project, found by words', async () => {
    const task = 'Create an issue with a blocker';
    const docs = await aProject(service.owner, { key: 'DOCS', name: 'Documents' });
    const blocker = await anIssue(service.owner, docs, { title: 'Agree on the wording with the lawyers' });
    const isCreated = async ({ page }: Person, title: string) => {
      await page.getByText(/ is created$/).waitFor();
      const { body } = await service.owner.get<Issue[]>(
        `/api/projects/PAY/issues?q=${encodeURIComponent(title)}`,
      );
      expect((await issueOf(body[0]!)).links).toMatchObject([{ target: { key: blocker.key } }]);
    };
    const option = ({ page }: Person) => page.getByRole('option', { name: blocker.key });
    const choose = ({ page }: Person) => page.getByRole('button', { name: 'Choose an issue' });
    await perform(task, { by: 'mouse', from: '/p/PAY/board', most: 4 }, async (person) => {
      await person.press('c');
      await person.type('Translate the terms');
      await person.click(choose(person));
      await person.type('lawy');
      await person.click(option(person));
      await person.click(person.page.getByRole('button', { name: 'Create issue' }));
      await isCreated(person, 'Translate the terms');
    });
    await perform(task, { by: 'keys', from: '/p/PAY/board', most: 13 }, async (person) => {
      await person.press('c');
      await person.type('Print the terms');
      await person.pressUntil('Tab', choose(person));
      await person.press('Enter');
      await person.type('lawy');
      await option(person).waitFor();
      await person.press('Enter');
      await person.page.getByRole('listitem').getByText(blocker.key).waitFor();
      await person.press('Control+Enter');
      await isCreated(person, 'Print the terms');
    });
  });

  it('installs a server, verifies it, and grants it to three agents', async () => {
    const task = 'Install, verify, grant to 3';
    const chosen = fleet.idle.slice(0, 3);
    const isGranted = async (name: string) => {
      const { body } = await service.owner.get<{ id: string; name: string }[]>('/api/mcp/installed');
      const { id } = body.find((one) => one.name === name)!;
      const access = await service.owner.get<{ agentId: string; granted: boolean }[]>(
        `/api/mcp/installed/${id}/access`,
      );
      const granted = access.body.filter((one) => one.granted).map(({ agentId }) => agentId);
      expect(granted.toSorted()).toEqual(chosen.map((agent) => agent.id).toSorted());
    };
    const box = ({ page }: Person, name: string) => page.getByRole('checkbox', { name, exact: true });
    const fields = ({ page }: Person) => [page.getByLabel('TOOLS_FILE'), page.getByLabel('Name')] as const;
    await perform(task, { by: 'mouse', from: '/servers', most: 8 }, async (person) => {
      const { page } = person;
      const name = someName('By mouse');
      await confirmPassword(page, OWNER.password);
      await person.click(page.getByRole('link', { name: 'Install a server' }));
      await person.click(page.getByRole('link', { name: 'Listed tools' }));
      for (const [at, field] of fields(person).entries()) await field.fill([file, name][at]!);
      person.texts += 2;
      await person.click(page.getByRole('button', { name: 'Install', exact: true }));
      for (const agent of chosen) await person.click(box(person, agent.name));
      await person.click(page.getByRole('button', { name: 'Grant to 3 agents' }));
      await heading(page, name).waitFor();
      await isGranted(name);
    });
    await perform(task, { by: 'keys', from: '/catalog', most: 40 }, async (person) => {
      const { page } = person;
      const name = someName('By keys');
      await page.locator('input[type=password]:focus').waitFor();
      await page.keyboard.type(OWNER.password);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Listed tools' }).waitFor();
      await person.press('f');
      await person.type('listed tools');
      await person.pressUntil('Tab', page.getByRole('link', { name: 'Listed tools' }));
      await person.press('Enter');
      for (const [at, field] of fields(person).entries()) {
        await person.pressUntil('Tab', field);
        await person.type([file, name][at]!);
      }
      await person.press('Enter');
      for (const agent of chosen) {
        await person.pressUntil('Tab', box(person, agent.name));
        await person.press('Space');
      }
      await person.pressUntil('Tab', page.getByRole('button', { name: 'Grant to 3 agents' }));
      await person.press('Enter');
      await heading(page, name).waitFor();
      await isGranted(name);
    });
  });

  it('shows what an agent did today, and for how much', async () => {
    const task = 'An agent’s day and its cost';
    const { name } = fleet.agents['beacon']!;
    const isShown = async ({ page }: Person) => {
      const sums = page.getByLabel(/^Since /);
      await sums.getByText('$4.02 of $1.50 per day').waitFor();
      expect(await sums.innerText()).toMatch(/Picked up[\s\S]*Finished[\s\S]*Asked\s+\d/);
    };
    await perform(task, { by: 'mouse', from: '/agents', most: 1 }, async (person) => {
      await person.click(person.page.getByRole('link', { name, exact: true }));
      await isShown(person);
    });
    await perform(task, { by: 'keys', from: '/activity', most: 2 }, async (person) => {
      await person.press('/');
      await person.type('beacon');
      await person.page.getByRole('option', { name }).waitFor();
      await person.press('Enter');
      await isShown(person);
    });
  });

  it('finds one issue among 2,000 from another project, by a word and the beginning of another', async () => {
    const task = 'Find one among 2,000';
    const other = await aProject(service.owner, { key: 'OTHER', name: 'Other' });
    const { title } = await anIssue(service.owner, fleet.project, {
      title: 'Archive receipts for the auditors',
    });
    await perform(task, { by: 'mouse', from: `/p/${other.key}/board`, most: 2 }, async (person) => {
      await person.click(person.page.getByRole('button', { name: 'Search' }));
      await person.type('receipts audit');
      await person.click(person.page.getByRole('option', { name: title }));
      await heading(person.page, title).waitFor();
    });
    await perform(task, { by: 'keys', from: `/p/${other.key}/board`, most: 2 }, async (person) => {
      await person.press('/');
      await person.type('receipts audit');
      await person.press('Enter');
      await heading(person.page, title).waitFor();
    });
  });

  it('pauses all agents', async () => {
    const task = 'Pause all agents';
    const isHalted = async ({ page }: Person) => {
      await page.getByText('All agents are halted.').waitFor();
      await service.owner.put('/api/agents/halt', { halted: false, reason: null });
    };
    const halt = 'Halt all agents';
    await perform(task, { by: 'mouse', from: '/agents', most: 2 }, async (person) => {
      await person.click(person.page.getByRole('button', { name: halt }));
      await person.type('Looking at a leak');
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: halt }));
      await isHalted(person);
    });
    await perform(task, { by: 'keys', from: '/activity', most: 3 }, async (person) => {
      await person.press('Control+k');
      await person.type('halt');
      await person.press('Enter');
      await person.type('Looking at a leak');
      await person.press('Enter');
      await isHalted(person);
    });
  });
});
