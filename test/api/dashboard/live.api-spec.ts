import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAgent, anIssue, aProject, type Issue } from '../../support/builders.js';
import { withKey } from '../../support/callers.js';
import { dashboardBrowser, heapOf, noChromium, type DashboardPage } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const PER_MINUTE = 200;
/** `LIVE_MINUTES` shortens the long form. */
const MINUTES = Number(process.env['LIVE_MINUTES'] ?? 10);
const CHANGES = process.env['TEST_SIZE'] === 'full' ? MINUTES * PER_MINUTE : 60;
/** The changes come at their pace; the rest is for a slow machine. */
const LIMIT_MS = (CHANGES / PER_MINUTE) * 60_000 + 180_000;
const ISSUES = 24;
const TAKEN_AT_ONCE = 4;
/** What the page itself may keep for more events, beyond noise of the garbage collector. */
const HEAP_GROWTH_BYTES = 8_000_000;

interface PickUps {
  pickedUp: { issue: Issue; lease: { token: number } }[];
}

/** Runs in the page: notes each pick-up and change of status that the stream brings, and where the card under the pointer is. */
const WATCH = `
  window.heard = [];
  new BroadcastChannel('awp.live').onmessage = ({ data }) => {
    if (data.kind !== 'event') return;
    const { type, subject, data: change } = data.event;
    if (type === 'issue.picked_up') window.heard.push(subject.id + ' InProgress');
    if (type === 'issue.status_changed' && change.new !== 'InProgress')
      window.heard.push(subject.id + ' ' + change.new);
  };
  window.places = new Set();
  window.watching = true;
  const place = () => {
    if (!window.watching) return;
    const card = document.querySelector('[data-issue]:hover')?.getBoundingClientRect();
    window.places.add(card ? card.x + ' ' + card.y : 'no card');
    requestAnimationFrame(place);
  };
  place();`;

inBrowser('two browsers beside an agent at work', () => {
  const browser = dashboardBrowser(() => service);

  it(
    `show each of ${CHANGES} changes at ${PER_MINUTE} per minute, without a reload, a leak or a shift`,
    async () => {
      const project = await aProject(service.owner, { key: 'LIVE', name: 'Live' });
      const agent = await anAgent(service.owner, { maxConcurrentIssues: 1_000 });
      const issues: Issue[] = [];
      for (let index = 0; index < ISSUES; index += 1)
        issues.push(await anIssue(service.owner, project, { assignedAgentId: agent.id }));
      const pages = [await browser.signedIn('/p/LIVE/board'), await browser.signedIn('/p/LIVE/board')];
      for (const { page } of pages) await watch(page, issues.at(-1)!);

      const before = await Promise.all(pages.map(({ page }) => heapOf(page)));
      const made = await change(agent.key);
      for (const { page } of pages) await shows(page, issues);

      for (const [index, { page, problems }] of pages.entries()) {
        expect(await page.evaluate<string[]>('window.heard.toSorted()')).toEqual(made);
        expect(await page.evaluate<number>('window.places.size')).toBe(1);
        expect((await heapOf(page)) - before[index]!).toBeLessThan(HEAP_GROWTH_BYTES);
        expect(problems).toEqual([]);
      }
    },
    LIMIT_MS,
  );

  /** Rests the pointer on a card that nothing changes, and watches from there. A reload would end the watch. */
  async function watch(page: Page, { key }: Issue): Promise<void> {
    await page.locator(`[data-issue="${key}"]`).hover();
    await page.evaluate(WATCH);
  }

  /** The agent takes four issues at a time and resolves them; a person reopens what was resolved two rounds before. */
  async function change(key: string): Promise<string[]> {
    const made: string[] = [];
    const resolved: string[] = [];
    const worker = withKey(service, key);
    const began = Date.now();
    // This is the pace of the load; nothing waits for it.
    const pace = () => sleep(Math.max(0, began + (made.length * 60_000) / PER_MINUTE - Date.now()));
    const note = async (id: string, status: string, answer: { status: number }) => {
      expect([status, answer.status]).toEqual([status, 200]);
      made.push(`${id} ${status}`);
      await pace();
    };
    while (made.length < CHANGES) {
      const beat = await worker.post<PickUps>('/api/agents/me/heartbeat', { capacity: TAKEN_AT_ONCE });
      for (const { issue } of beat.body.pickedUp) await note(issue.id, 'InProgress', { status: 200 });
      for (const { issue, lease } of beat.body.pickedUp) {
        const body = { token: lease.token, status: 'Resolved' };
        await note(issue.id, 'Resolved', await worker.post(`/api/projects/issues/${issue.id}/finish`, body));
        resolved.push(issue.id);
      }
      for (const id of resolved.splice(0, Math.max(0, resolved.length - 2 * TAKEN_AT_ONCE)))
        await note(id, 'Open', await service.owner.put(`/api/projects/issues/${id}`, { status: 'Open' }));
    }
    return made.toSorted();
  }

  /** Waits until every card stands in the column of its status. */
  async function shows(page: DashboardPage['page'], issues: readonly Issue[]): Promise<void> {
    await page.evaluate('window.watching = false');
    await page.mouse.move(0, 0);
    const { body } = await service.owner.get<Issue[]>('/api/projects/LIVE/issues?limit=100');
    expect(body).toHaveLength(issues.length);
    await until(async () => {
      const shown = await page.evaluate<Record<string, string>>(
        `Object.fromEntries([...document.querySelectorAll('[data-issue]')].map((card) =>
          [card.dataset.issue, card.closest('section').getAttribute('aria-labelledby').slice('column-'.length)]))`,
      );
      return body.every(({ key, status }) => shown[key] === status);
    });
  }
});
