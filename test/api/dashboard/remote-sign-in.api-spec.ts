import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aCertificate } from '../../support/certificate.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  noChromium,
} from '../../support/dashboard.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { OWNER, useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aServer, callTool, verify } from '../mcp/servers.js';

const tls = await aCertificate();
const provider = await new OidcProvider({ NODE_EXTRA_CA_CERTS: tls.certificate }).start();
await provider.change({ accounts: { ada: {} } });
const modern = await ProtectedServer.start('modern', provider.issuer);
const catalog = new LocalCatalog().http('modern', modern.url);
const hosts = [new URL(provider.issuer).host, modern.host];
// The id of a client may be the address of its document over HTTPS only.
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: hosts.join(','), ...tls.settings },
});
afterAll(async () => {
  await Promise.all([provider.stop(), modern.close(), tls.remove()]);
  catalog.remove();
});

/** Signs in where the provider asks, and agrees. */
async function agree(page: Page): Promise<void> {
  const login = page.getByPlaceholder('Enter any login');
  const agreement = page.getByRole('button', { name: 'Continue' });
  await login.or(agreement).waitFor();
  if (await login.isVisible()) {
    await login.fill('ada');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }
  await agreement.click();
}

(noChromium === null ? describe : describe.skip)('a sign-in at a remote server', () => {
  const browser = dashboardBrowser(() => service);

  // Clients that are registered, by hand or by the service, are the subject of mcp/oauth-sign-in.
  it('with the metadata document of the service leads to its page and gives its tools', async () => {
    // The provider's own page asks for a font of the internet, which tests do not reach.
    browser.mayNote('fonts.googleapis.com', 'ERR_NAME_NOT_RESOLVED', 'ERR_INTERNET_DISCONNECTED');
    await provider.change({ documents: true });
    const server = await aServer(service.owner, 'modern');
    // A server whose entry does not say so asks for the sign-in when it is verified.
    await verify(service.owner, server);
    const { page } = await browser.signedIn(`/servers/${server.id}/credentials`, OWNER, {
      ignoreHTTPSErrors: true,
    });
    await confirmPassword(page, OWNER.password);
    await page.getByRole('button', { name: 'Sign in with default' }).click();
    await agree(page);
    // The key of elevated mode is gone with the page, and what happened is said before it is asked for again.
    await page.getByText('You are signed in.').waitFor();
    await page.waitForURL(`${service.baseUrl}/servers/${server.id}/credentials?set=default`);
    await confirmPassword(page, OWNER.password);
    await page.getByRole('listitem', { name: 'Credential set default' }).getByText('Ready').waitFor();
    await page.getByText(`Signed in at ${provider.issuer} by Owner`).waitFor();
    const { text } = await callTool(service.owner, server, 'echo', { value: 'hello' });
    expect(text).toContain('hello');
  });

  it('is offered by the wizard, which goes on to the grant when the browser is back', async () => {
    browser.mayNote('fonts.googleapis.com', 'ERR_NAME_NOT_RESOLVED', 'ERR_INTERNET_DISCONNECTED');
    await provider.change({ documents: false, registration: true });
    const { page } = await browser.signedIn('/catalog/modern', OWNER, { ignoreHTTPSErrors: true });
    await confirmPassword(page, OWNER.password);
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    const signIn = page.getByRole('button', { name: `Sign in at ${modern.host}` });
    await signIn.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const { search } = new URL(page.url());
    await signIn.click();
    await page.getByRole('link', { name: /Cancel/ }).click();
    await page.getByText('The sign-in was cancelled.').waitFor();
    await page.waitForURL(`${service.baseUrl}/catalog/modern${search}`);
    await confirmPassword(page, OWNER.password);
    await signIn.click();
    await agree(page);
    await page.getByText('You are signed in.').waitFor();
    await confirmPassword(page, OWNER.password);
    await page.getByText('Single tools are chosen under Access.').waitFor();
    expect(new URL(page.url()).search).toBe(search);
    await page.getByRole('button', { name: 'Grant to no agent for now' }).click();
    await page.getByText('Passed', { exact: true }).first().waitFor();
  });

  it('is asked for under Needs you, which leads to its button, and says when it was cancelled', async () => {
    browser.mayNote('fonts.googleapis.com', 'ERR_NAME_NOT_RESOLVED', 'ERR_INTERNET_DISCONNECTED');
    await provider.change({ documents: false, registration: true });
    const server = await aServer(service.owner, 'modern');
    await verify(service.owner, server);
    const { page } = await browser.signedIn('/', OWNER, { ignoreHTTPSErrors: true });
    await page.getByRole('link', { name: `Sign in to ${server.name}` }).click();
    await confirmPassword(page, OWNER.password);
    const row = page.getByRole('listitem', { name: 'Credential set default' });
    await row.getByText('Sign-in needed').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await row.getByRole('button', { name: 'Sign in with default' }).click();
    await page.getByRole('link', { name: /Cancel/ }).click();
    await page.getByText('The sign-in was cancelled.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(page.url()).not.toContain('signIn');
    await confirmPassword(page, OWNER.password);
    await page.getByRole('link', { name: 'Verify', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in under Credentials' }).click();
    await row.getByRole('button', { name: 'Sign in with default' }).waitFor();
  });
});
