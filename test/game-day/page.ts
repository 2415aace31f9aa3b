import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { DashboardBrowser } from '../support/dashboard.js';
import type { Service } from '../support/service.js';
import { until } from '../support/until.js';

/** Runs in the page: what it announces, such as a banner, a notice, or that it is live. */
const ANNOUNCED = `[...document.querySelectorAll('[role="status"], [role="alert"]')]
  .map((element) => element.innerText.replaceAll(/\\s+/g, ' ').trim()).filter(Boolean).join(' | ')`;
/** What a page says that shows less than it should, or nothing new. */
const TROUBLED = /cannot be shown|Not everything|Trying again|Reconnecting|As of|Connecting/;
const PATIENCE = 60;

/** What the person at the dashboard does while the cause lasts: opens another screen, or creates an issue. */
export type Act = 'looks' | 'writes';

/** A page of the dashboard that stays open during a scene, with the board of the project. */
export class GamePage {
  /** The second in which the words that were waited for were seen. */
  firstSeen: number | null = null;

  private constructor(
    private readonly browser: DashboardBrowser,
    private readonly page: Page,
    private readonly board: string,
  ) {}

  static async open(service: Service, project: string): Promise<GamePage> {
    const browser = new DashboardBrowser(() => service);
    await browser.start();
    browser.beginTest();
    const board = `/p/${project}/board`;
    const { page } = await browser.signedIn(board, undefined, { ignoreHTTPSErrors: true });
    await page.getByRole('main').waitFor();
    return new GamePage(browser, page, board);
  }

  /** Begins a scene: nothing that the page says now counts. */
  forget(): void {
    this.firstSeen = null;
  }

  /** Notes when the page shows these words. */
  async look(words: RegExp | undefined, seconds: number): Promise<void> {
    if (!words || this.firstSeen !== null) return;
    if (words.test(await this.text())) this.firstSeen = seconds;
  }

  text(): Promise<string> {
    return this.page.evaluate<string>(ANNOUNCED);
  }

  async begin(act: Act): Promise<void> {
    if (act === 'looks') return this.go('/agents');
    await this.page.getByRole('button', { name: 'New issue' }).click();
    await this.page.getByLabel('Title').fill(`game day, typed ${randomUUID()}`);
    await this.page.getByRole('button', { name: 'Create issue' }).click();
  }

  /** Waits until the page shows all that it should, without a reload. What was typed is sent again. @throws {Error} */
  async finish(act: Act): Promise<void> {
    if (act === 'writes') {
      await this.page.getByRole('button', { name: 'Create issue' }).click();
      await this.page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await until(async () => !TROUBLED.test(await this.text()), PATIENCE);
    if (act === 'looks') await this.go(this.board);
  }

  async close(): Promise<void> {
    await this.browser.stop();
  }

  private async go(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  }
}
