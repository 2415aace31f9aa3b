import type { Locator } from 'playwright-core';
import { CountedKeys } from './dashboard.js';

/** Runs in the page: whether the middle of an element is within the window. */
const IS_IN_VIEW = (element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && (top + bottom) / 2 <= 900;
};

/**
 * A person at the dashboard, whose actions are counted: clicks, and keys outside of fields. Scrolling to what is out
 * of view, and what is typed into a field, whatever its length, are counted beside them.
 */
export class Person extends CountedKeys {
  clicks = 0;
  texts = 0;
  scrolls = 0;

  get actions(): number {
    return this.clicks + this.pressed;
  }

  async click(target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    await target.waitFor();
    if (!(await target.evaluate(IS_IN_VIEW))) this.scrolls += 1;
    this.clicks += 1;
    await target.click(options);
  }

  override async press(...keys: string[]): Promise<void> {
    for (const key of keys) await super.press(key);
  }

  /** Types into the field that has the focus, which must be one. */
  async type(text: string): Promise<void> {
    this.texts += 1;
    await this.page.locator('input:focus, textarea:focus').waitFor();
    await this.page.keyboard.type(text);
  }
}
