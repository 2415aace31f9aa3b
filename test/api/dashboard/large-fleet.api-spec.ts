import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAgent, aProject, type Project } from '../../support/builders.js';
import { dashboardBrowser, heapOf, noChromium } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;
const isFull = process.env['TEST_SIZE'] === 'full';

const ISSUES = 2_000;
const REVIEWS = 500;
const AGENTS = 50;
/** More than an hour brings at 200 changes a minute, sent as fast as the service takes them. `LIVE_CHANGES` shortens the long form. */
const CHANGES = isFull ? Number(process.env['LIVE_CHANGES'] ?? 20_000) : 300;
const AT_ONCE = 4;
/** What a page may keep for more changes, beyond noise of the garbage collector. */
const HEAP_GROWTH_BYTES = 8_000_000;
/** Turns of the wheel: as many as lead over all 2,000 rows of the list. */
const WHEEL_TURNS = 120;
const WHEEL_PX = 800;
/** A person notices a page that does not answer for longer. */
const LONGEST_TASK_MS = 100;

/** Each screen: its address, what it has a row for, and how it is narrowed to fewer of them. */
const SCREENS: {
  name: string;
  path: string;
  row: string;
  most: number;
  narrow: (page: Page) => Promise<unknown>;
}[] = [
  {
    name: 'inbox',
    path: '/?tab=review',
    row: '[data-cause]',
    most: REVIEWS,
    narrow: (page) => page.getByLabel('Agent', { exact: true }).selectOption({ label: 'agent 07' }),
  },
  {
    name: 'board',
    path: '/p/LARGE/board',
    row: '[data-issue]',
    most: 120,
    narrow: (page) => tick(page, 'Priority: any', 'Urgent'),
  },
  {
    name: 'list',
    path: '/p/LARGE/list',
    row: '[data-issue]',
    most: 120,
    narrow: (page) => page.getByLabel('Words in title or description').fill('number 1999'),
  },
  {
    name: 'fleet',
    path: '/agents',
    row: '[data-agent]',
    most: AGENTS,
    narrow: (page) => page.getByLabel('Find an agent').fill('agent 07'),
  },
];

async function tick(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole('button', { name: filter }).click();
  await page.getByRole('menuitemcheckbox', { name: value, exact: true }).click();
}

/** Runs in the page: counts its frames from now on. `framesSeen` returns how many there were, and how long they took. */
const COUNT_FRAMES = `
  const taken = [];
  let last = performance.now();
  const frame = (now) => { taken.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  window.framesSeen = () => {
    const sorted = taken.toSorted((a, b) => a - b);
    const at = (part) => Math.round(sorted[Math.floor((sorted.length - 1) * part)]);
    return { frames: sorted.length, 'median ms': at(0.5), '95th ms': at(0.95), 'longest ms': at(1) };
  };`;

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of a processor. Those of the clock depend on what else the machine does. */
  tdur?: number;
  args: { name?: string };
}

/** Does something, and returns the milliseconds of a processor that the longest task of the page took meanwhile. */
async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const placeOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(placeOf),
  );
  const tasks = traceEvents.filter((event) => event.tdur !== undefined && mains.has(placeOf(event)));
  expect(tasks.length).toBeGreaterThan(0);
  return Math.round(Math.max(...tasks.map(({ tdur }) => tdur!)) / 1000);
}

inBrowser(`a fleet of ${AGENTS} agents with ${ISSUES} issues, ${REVIEWS} of which wait for a person`, () => {
  const browser = dashboardBrowser(() => service);
  let project: Project;
  const measured: Record<string, Record<string, number>> = {};
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'LARGE', name: 'Large' });
    for (let at = 1; at <= AGENTS; at += 1)
      await anAgent(service.owner, { name: `agent ${String(at).padStart(2, '0')}` });
    await service.sql(
      `INSERT INTO issues (id, project_id, number, title, description, status, priority, assigned_agent_id, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $1, n, 'Reconcile the refunds of the night, number ' || n, 'The ledger and the bank differ.',
         CASE WHEN n <= $3 THEN 'PendingReview' WHEN n % 3 = 0 THEN 'Resolved' ELSE 'Open' END, n % 5, agents.id, 'system', 'test'
       FROM generate_series(1, $2::int) AS n
       JOIN (SELECT id, row_number() OVER (ORDER BY name) AS at FROM agents) AS agents ON agents.at = 1 + n % $4`,
      [project.id, ISSUES, REVIEWS, AGENTS],
    );
  }, 120_000);

  afterAll(() => console.table(measured));

  /** The milliseconds that something took, noted for the figures at the end. */
  async function measure(screen: string, what: string, act: () => Promise<unknown>): Promise<void> {
    const began = Date.now();
    await act();
    (measured[screen] ??= {})[what] = Date.now() - began;
  }

  it.each(SCREENS)(
    'opens the $name, scrolls it without a long task, and narrows it',
    async ({ name, path, row, most, narrow }) => {
      const { page, problems } = await browser.signedIn(path);
      await page.getByText('Live', { exact: true }).waitFor();
      const rows = page.locator(row);
      await measure(name, 'open', async () => {
        await page.goto(path);
        await rows.first().waitFor();
      });
      await page.evaluate(COUNT_FRAMES);
      const longest = await longestTask(page, async () => {
        await rows.first().hover();
        for (let turn = 0; turn < WHEEL_TURNS; turn += 1) {
          await page.mouse.wheel(0, WHEEL_PX);
          await page.evaluate('new Promise(requestAnimationFrame)');
        }
      });
      Object.assign(measured[name]!, await page.evaluate<Record<string, number>>('framesSeen()'), {
        'longest task while scrolling': longest,
      });
      expect(longest).toBeLessThan(LONGEST_TASK_MS);
      expect(await rows.count()).toBeLessThanOrEqual(most);
      const before = await rows.count();
      await measure(name, 'filter', async () => {
        await narrow(page);
        await until(async () => (await rows.count()) < before && (await rows.count()) > 0);
      });
      expect(problems).toEqual([]);
    },
  );

  it(`keeps no more of its pages in memory after ${CHANGES} changes`, async () => {
    const issues = await service.sql<{ id: string }>(
      `SELECT id FROM issues WHERE project_id = $1 AND status <> 'Resolved' ORDER BY number`,
      [project.id],
    );
    const pages = new Map<string, Page>();
    for (const { name, path, row } of SCREENS) {
      const { page } = await browser.signedIn(path);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.locator(row).first().waitFor();
      pages.set(name, page);
    }
    const change = async (from: number, to: number) => {
      for (let at = from; at < to; at += AT_ONCE)
        await Promise.all(
          issues
            .slice(at % issues.length, (at % issues.length) + AT_ONCE)
            .map(({ id }, index) =>
              service.owner.put(`/api/projects/issues/${id}`, { title: `Reconcile, change ${at + index}` }),
            ),
        );
    };
    // The first changes read what stays in the cache as long as the page.
    await change(0, CHANGES / 10);
    const heaps = new Map<string, number>();
    for (const [name, page] of pages) heaps.set(name, await heapOf(page));
    await change(CHANGES / 10, CHANGES);
    for (const [name, page] of pages) {
      const [before, after] = [heaps.get(name)!, await heapOf(page)];
      Object.assign((measured[name] ??= {}), {
        'kB before': Math.round(before / 1e3),
        'kB after': Math.round(after / 1e3),
      });
      expect(after - before).toBeLessThan(HEAP_GROWTH_BYTES);
    }
  }, 1_800_000);
});
