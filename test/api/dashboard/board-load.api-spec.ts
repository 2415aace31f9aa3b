import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { dashboardBrowser, noChromium } from '../../support/dashboard.js';
import { useService } from '../../support/service.js';

const service = useService();
const inBrowser = noChromium === null && process.env['TEST_SIZE'] === 'full' ? describe : describe.skip;

/** More than a board reads in one page of 500 with the long form, and more than it keeps in the document. */
const CARDS = process.env['TEST_SIZE'] === 'full' ? 1_100 : 120;
const AT_ONCE = 10;

/** Runs in the page: notes the cards in whose subtree something changes, and lists that lose or get a card. */
const WATCH = `
  window.changed = new Set();
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const card = element?.closest('[data-issue]');
      if (card) window.changed.add(card.dataset.issue);
      else if (element?.closest('ul')) window.changed.add('a list of cards');
    }
  }).observe(document.querySelector('[aria-label=Board]'),
    { subtree: true, childList: true, characterData: true, attributes: true });`;

inBrowser('a board of many cards', () => {
  const browser = dashboardBrowser(() => service);
  const issues: Issue[] = [];
  let project: Project;
  beforeAll(async () => {
    project = await aProject(service.owner, { key: 'MANY', name: 'Many' });
    for (let made = 0; made < CARDS; made += AT_ONCE)
      issues.push(
        ...(await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) =>
            anIssue(service.owner, project, { title: `Number ${made + index}` }),
          ),
        )),
      );
  }, 300_000);

  const open = async () => {
    const opened = await browser.signedIn('/p/MANY/board');
    const { page } = opened;
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText(`${CARDS} not finished`).waitFor();
    await page.locator('[data-issue]').first().waitFor();
    return opened;
  };
  const shown = (page: Page) => page.locator('[data-issue]').count();

  it('says how many there are, and has only those near the view in the document', async () => {
    const { page, problems } = await open();
    const column = page.getByRole('region', { name: 'Open', exact: true });
    await column.getByText(`${CARDS}`, { exact: true }).waitFor();
    expect(await shown(page)).toBeLessThan(60);
    await page.evaluate(
      `document.querySelector('[data-scroll-restoration-id=column-Open]').scrollTo(0, 1e7)`,
    );
    // The lowest place belongs to one of those that were created first, at the same time.
    await column.locator(`li[aria-posinset="${CARDS}"][aria-setsize="${CARDS}"]`).waitFor();
    expect(await shown(page)).toBeLessThan(60);
    expect(problems).toEqual([]);
  });

  it('leads the keys to the last card, beyond those that were in the document', async () => {
    const { page } = await open();
    const place = () =>
      page.evaluate<number>(`Number(document.activeElement.closest('li')?.ariaPosInSet ?? 0)`);
    for (let press = 1; press <= 70; press += 1) await page.keyboard.press('j');
    expect(await place()).toBe(70);
    await page.keyboard.press('k');
    expect(await place()).toBe(69);
  });

  it('changes one card, and reads one card again, when one issue changes', async () => {
    const { page, problems } = await open();
    const first = (await page.locator('[data-issue]').first().getAttribute('data-issue'))!;
    const issue = issues.find(({ key }) => key === first)!;
    await page.evaluate(WATCH);
    const reread: (string | null)[] = [];
    page.on('request', (request) => {
      const ids = new URL(request.url()).searchParams.get('ids');
      if (ids !== null) reread.push(ids);
    });
    await service.owner.put(`/api/projects/issues/${issue.id}`, { title: 'Has another title' });
    await page.getByText('Has another title').waitFor();
    expect(await page.evaluate<string[]>('[...window.changed]')).toEqual([issue.key]);
    expect(reread).toEqual([issue.id]);
    expect(problems).toEqual([]);
  });
});
