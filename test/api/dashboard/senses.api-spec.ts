import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anIssue, aProject } from '../../support/builders.js';
import { dashboardBrowser, noChromium } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

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
