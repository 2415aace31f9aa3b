import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aPerson } from '../../support/callers.js';
import {
  accessibilityViolations,
  dashboardBrowser,
  inEachLook,
  noChromium,
} from '../../support/dashboard.js';
import { HttpBrowser } from '../../support/oidc/browser.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const provider = new OidcProvider();
const settings: Record<string, string> = { OIDC_NAME: 'Acme', OIDC_DEFAULT_ROLE: 'Admin' };
beforeAll(async () => void Object.assign(settings, (await provider.start()).settings));
const service = useService({ settings });
const accounts = { ada: { name: 'Ada', email: 'ada@acme.example', email_verified: true } };
beforeAll(() => provider.register(service.baseUrl, accounts));
afterAll(() => provider.stop());

/** Enters the credentials on the page of the provider. */
async function enter(page: Page, account: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(account);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

(noChromium === null ? describe : describe.skip)('signing in with an OpenID provider', () => {
  const browser = dashboardBrowser(() => service);

  it('leads to the provider and back to the page, and confirms elevated mode there again', async () => {
    // The provider's own page asks for a font of the internet, which tests do not reach.
    browser.mayNote('fonts.googleapis.com', 'ERR_NAME_NOT_RESOLVED', 'ERR_INTERNET_DISCONNECTED');
    const { page } = await browser.open('/servers');
    await page.getByRole('link', { name: 'Continue with Acme' }).click();
    await enter(page, 'ada');
    await page.getByRole('heading', { name: 'Confirm who you are' }).waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/servers`);
    await page.getByRole('link', { name: 'Confirm with Acme' }).click();
    await enter(page, 'ada');
    await page.getByText('You manage servers until').waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/servers`);
    await page.goto('/settings');
    await page.getByText('ada@acme.example').first().waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
  });

  it('shows the reason in each look', async () => {
    const { page } = await browser.open('/login?problem=no_role');
    await inEachLook(page, async (look) => {
      await page.getByRole('alert').getByText('You have no role here.').waitFor();
      await page.getByRole('link', { name: 'Continue with Acme' }).waitFor();
      await page.getByLabel('Password').waitFor();
      expect([look, ...(await accessibilityViolations(page))]).toEqual([look]);
    });
  });

  it('joins a user with a person for an Owner, shows the two, and separates them', async () => {
    const { id, name } = await aPerson(service, 'Viewer');
    const path = `/api/users/${id}/identity`;
    const { page, problems } = await browser.signedIn('/settings/users');
    await page.getByRole('button', { name: `Identity of ${name} at Acme` }).click();
    await page.getByLabel('Subject').fill('the-subject');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText(`This person signs in with Acme as ${name}.`).waitFor();
    await page.getByText('the-subject', { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect((await service.owner.get(path)).body['subject']).toBe('the-subject');
    await page.getByRole('button', { name: 'Separate' }).click();
    await page.getByRole('button', { name: 'Separate' }).click();
    await page.getByLabel('Subject').waitFor();
    expect((await service.owner.get(path)).body['subject']).toBeNull();
    expect(problems).toEqual([]);
  });

  it('says that the provider is away, with the page that was asked for', async () => {
    await provider.stop();
    const login = `${service.baseUrl}/api/auth/oidc/login`;
    await until(async () => (await new HttpBrowser().go(login)).location?.includes('unavailable'));
    const { page } = await browser.open('/login?next=/agents');
    await page.getByRole('link', { name: 'Continue with Acme' }).click();
    await page.getByRole('alert').getByText('Acme cannot be reached.').waitFor();
    await page.getByText('You go on to /agents afterwards.').waitFor();
  });
});
