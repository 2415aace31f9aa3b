import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aComment, anAgent, anIssue, aProject, createdBy, type NewAgent } from '../../support/builders.js';
import { withKey } from '../../support/callers.js';
import { dashboardBrowser, goWithin, noChromium } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { anAttachment, file } from '../work/attachments.forms.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

const isFull = process.env['TEST_SIZE'] === 'full';
const PRESSES = 45;

/** Runs in the page: whether the element with the focus is in sight, and not below a bar that lies over it. */
const IN_SIGHT = `(() => {
  const element = document.activeElement;
  if (element === document.body || element.matches('.sr-only')) return null;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const middle = (from, to, size) => (Math.max(0, from) + Math.min(size, to)) / 2;
  const hit = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  if (hit && (element.contains(hit) || hit.contains(element))) return null;
  return element.outerHTML.slice(0, 120) + ' is covered by ' + (hit?.outerHTML.slice(0, 80) ?? 'the edge');
})()`;

/** Runs in the page: whether nothing is being loaded. */
const IS_LOADED = `!document.querySelector('[aria-busy="true"]')`;

/** Runs in the page: what makes it wider than its window, or stands out of its card. */
const WIDER = `(() => {
  const out = [...document.querySelectorAll('[data-issue] *')].find((element) => {
    const card = element.closest('[data-issue]').getBoundingClientRect();
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > card.right + 1 && !element.matches('.sr-only, .sr-only *');
  });
  if (out) return 'out of its card: ' + out.outerHTML.slice(0, 100);
  if (document.scrollingElement.scrollWidth <= innerWidth) return null;
  const clips = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || clips(element.parentElement));
  const wide = [...document.body.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1 && !clips(element.parentElement),
  );
  const deepest = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)));
  const texts = [...document.body.querySelectorAll('*')].filter(
    (element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && !clips(element),
  );
  deepest.push(...texts.filter((element) => !texts.some((other) => other !== element && element.contains(other))));
  return document.scrollingElement.scrollWidth + ' pixels by ' + deepest.map((one) => one.outerHTML.slice(0, 160)).join(' and ');
})()`;

inBrowser('what people with other senses and hands need', () => {
  const browser = dashboardBrowser(() => service);
  beforeAll(async () => {
    const project = await aProject(service.owner, { key: 'SEE', name: 'Seeing' });
    for (let index = 0; index < 30; index += 1)
      await anIssue(service.owner, project, { title: `Number ${index}` });
  });

  it.each([
    ['/p/SEE/list', 1440],
    ['/p/SEE/list', 390],
    ['/p/SEE/board', 1440],
    ['/p/SEE/board', 390],
  ])('never hides the focus under a bar: %s, %i pixels wide', async (path, width) => {
    const { page } = await browser.signedIn(path, undefined, { viewport: { width, height: 600 } });
    await page.getByText('Number 29').first().waitFor();
    const hidden = new Set<string>();
    for (let press = 0; press < PRESSES; press += 1) {
      await page.keyboard.press('Tab');
      const found = await page.evaluate<string | null>(IN_SIGHT);
      if (found !== null) hidden.add(found);
    }
    expect([...hidden]).toEqual([]);
  });

  describe('with names as long as they may be', () => {
    const word = (characters: number) => 'Unbroken'.repeat(40).slice(0, characters);
    let paths: string[];
    beforeAll(async () => {
      const project = await aProject(service.owner, { key: 'LONG', name: word(200) });
      const agent = await anAgent(service.owner, { name: word(200), description: word(300) });
      const issue = await anIssue(service.owner, project, { title: word(300), assignedAgentId: agent.id });
      await anIssue(service.owner, project, { title: word(300), blockedByIssueId: issue.id });
      await anAttachment(service.owner, issue, file('text', { filename: `${word(200)}.txt` }));
      await aComment(service.owner, issue, `${word(320)} \`${word(320)}\``);
      await asAgentAsks(agent, issue);
      const ofAgent = ['', '/tools', '/access', '/calls', '/usage', '/keys', '/connect'];
      const others = [
        ...['/projects', '/p/LONG/graph', '/i/LONG-2', '/p/LONG/board?issue=LONG-1', '/servers', '/access'],
        ...['/activity', '/settings', ...ofAgent.slice(1).map((tab) => `/agents/${agent.id}${tab}`)],
      ];
      const first = ['/', '/p/LONG/board', '/p/LONG/list', '/i/LONG-1', '/agents', `/agents/${agent.id}`];
      // The pages that have all parts which show names; the long form visits every page.
      paths = isFull ? [...first, ...others] : first;
    });

    it('no page is wider than a window of 1440, 1024 or 390 pixels', async () => {
      const { page } = await browser.signedIn('/p/LONG/board');
      const wide: string[] = [];
      for (const path of paths) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await goWithin(page, path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        for (const width of [1440, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 });
          // The page has seen the new width once it has painted.
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
          );
          await until(() => page.evaluate<boolean>(IS_LOADED));
          const found = await page.evaluate<string | null>(WIDER);
          if (found !== null) wide.push(`${path}, ${width} pixels: ${found}`);
        }
      }
      expect(wide).toEqual([]);
    });

    it('takes no column of the agents out of sight', async () => {
      const { page } = await browser.signedIn('/agents');
      const last = page.getByRole('columnheader', { name: 'Last heartbeat' });
      await last.waitFor();
      const { x, width } = (await last.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(1440);
    });
  });

  const secondsOf = async (page: Page) => {
    await page.getByRole('button', { name: 'New issue' }).waitFor();
    return page.evaluate<number>(
      `parseFloat(getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === 'New issue')).transitionDuration)`,
    );
  };

  it('moves nothing for people who ask for less motion', async () => {
    const calm = await browser.signedIn('/p/SEE/board', undefined, { reducedMotion: 'reduce' });
    const moving = await browser.signedIn('/p/SEE/board', undefined, { reducedMotion: 'no-preference' });
    expect(await secondsOf(calm.page)).toBeLessThan(0.001);
    expect(await secondsOf(moving.page)).toBeGreaterThan(0.05);
  });
});

/** The agent asks a person on its issue, so that the question is a cause of Needs you. */
async function asAgentAsks({ key }: NewAgent, issue: { id: string }): Promise<void> {
  const agent = withKey(service, key);
  const question = 'Unbroken'.repeat(60);
  await createdBy(agent, `/api/projects/issues/${issue.id}/gates`, { question, options: ['Yes', 'No'] });
}
