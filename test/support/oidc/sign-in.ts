import { Caller, type CalledService } from '../caller.js';
import type { HttpBrowser, Visited } from './browser.js';

const isCallback = (url: string) => new URL(url).pathname === '/api/auth/oidc/callback';

/** Signs an account in at oidc-provider and returns the address of the callback, which the browser has not requested. */
export async function callbackFor(
  browser: HttpBrowser,
  service: CalledService,
  account: string,
  query = '',
): Promise<string> {
  let visited = await browser.follow(`${service.baseUrl}/api/auth/oidc/login${query}`, { stop: isCallback });
  if (visited.location === null) {
    const action = /<form[^>]* action="([^"]+)"/.exec(visited.text)?.[1];
    if (!action) throw new Error(`No sign-in page at ${visited.url}: ${visited.status} ${visited.text}`);
    const form = { prompt: 'login', login: account, password: 'any' };
    visited = await browser.follow(new URL(action, visited.url).href, { stop: isCallback, form });
  }
  if (visited.location === null) throw new Error(`The provider gave ${visited.status}: ${visited.text}`);
  return visited.location;
}

/** Signs an account in and returns what the service answered at last. */
export async function signInAs(
  browser: HttpBrowser,
  service: CalledService,
  account: string,
  query = '',
): Promise<Visited> {
  return browser.go(await callbackFor(browser, service, account, query));
}

/** A caller with the session that the browser has at the service. */
export function asBrowser(browser: HttpBrowser, service: CalledService): Caller {
  const cookie = browser.cookieOf(new URL(service.baseUrl).origin);
  return new Caller(service, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
}
