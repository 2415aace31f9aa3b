import { describe, expect, it } from '@jest/globals';
import { accessibilityViolations, dashboardBrowser, noChromium, signIn } from '../../support/dashboard.js';
import { OWNER, useService } from '../../support/service.js';

const service = useService();
const inBrowser = noChromium === null ? describe : describe.skip;

inBrowser('signing in to the dashboard', () => {
  const browser = dashboardBrowser(() => service);

  it('leads from any address to the sign-in and back to that address', async () => {
    const { page, problems } = await browser.open('/projects');
    await page.waitForURL(/\/login/);
    await page.getByText('You go on to /projects afterwards.').waitFor();
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects');
    // Asking who is signed in is answered with 401 before the sign-in; the browser notes that in its console.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('never leads to another site after the sign-in', async () => {
    const { page } = await browser.open('/login?next=//example.com/x');
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Needs you', exact: true }).waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/`);
  });

  it('says that e-mail or password is wrong without saying which', async () => {
    const { page } = await browser.open('/login');
    await signIn(page, OWNER.email, 'wrong password, wrong');
    await page.getByRole('alert').getByText('E-mail or password is wrong.').waitFor();
    expect(await page.getByLabel('Password').inputValue()).not.toBe('');
  });

  it('counts the wait down when too many tries were wrong', async () => {
    browser.mayNote('status of 429');
    const { page } = await browser.open('/login');
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const answered = page.waitForResponse(/api\/auth\/login/);
      await signIn(page, 'nobody.here@example.com', 'wrong password, wrong');
      await answered;
    }
    await page.getByText(/You can try again in \d+ seconds/).waitFor();
    expect(
      await page.getByRole('button', { name: 'Sign in', exact: true }).getAttribute('aria-disabled'),
    ).toBe('true');
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility violation in the %s theme',
    async (colorScheme) => {
      const { page } = await browser.open('/login', { colorScheme });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );

  it('ends with the session: the next change leads back to the sign-in', async () => {
    const { page } = await browser.signedIn('/projects');
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL(/\/login\?next=%2Fprojects/);
  });
});
