import type { Page } from 'playwright-core';

/** The page of Swagger UI as a person uses it: nothing is typed but a key. */
export class SwaggerPage {
  private opened: string | null = null;

  constructor(private readonly page: Page) {}

  /** Presses Authorize, pastes the key into the field that has the focus, and presses Enter. */
  async authorize(key: string): Promise<void> {
    await this.page.locator('.auth-wrapper .authorize').first().click();
    await this.page.locator('.auth-container input:focus').waitFor();
    await this.page.keyboard.insertText(key);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.auth-container').getByText('Authorized').first().waitFor();
    await this.page.locator('.btn-done').first().click();
  }

  async logOut(): Promise<void> {
    await this.page.locator('.auth-wrapper .authorize').first().click();
    await this.page.locator('.auth-container').getByRole('button', { name: 'Remove authorization' }).click();
    await this.page.locator('.btn-done').first().click();
  }

  /** Opens a form, presses Execute, and returns the status of the response, which the page must show. */
  async execute(group: string, method: string, path: string): Promise<number> {
    await this.openOnly(group);
    const form = this.page
      .locator(`.opblock-${method.toLowerCase()}`)
      .filter({ has: this.page.locator(`[data-path="${path}"]`) });
    await form.locator('.opblock-summary-control').click();
    const responded = this.page.waitForResponse((response) => response.request().method() === method);
    await form.locator('button.execute').click();
    const status = (await responded).status();
    const shown = form.locator('.live-responses-table tbody .response-col_status').first();
    await shown.filter({ hasText: `${status}` }).waitFor();
    // Every open form is drawn again with each click.
    await form.locator('.opblock-summary-control').click();
    return status;
  }

  /** Every form of an open group is drawn again with each click, so that one group at a time is open. */
  private async openOnly(group: string): Promise<void> {
    if (this.opened === group) return;
    if (this.opened !== null) await this.group(this.opened).click();
    await this.group(group).click();
    this.opened = group;
  }

  group(name: string) {
    return this.page.locator(`.opblock-tag[data-tag="${name}"]`);
  }

  /** The names of the groups that are shown. */
  groups(): Promise<string[]> {
    return this.page
      .locator('.opblock-tag')
      .evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag') ?? ''));
  }
}
