import type { Caller } from '../caller.js';
import { aPerson, PASSWORD, signedIn, withKey } from '../callers.js';
import type { Service } from '../service.js';
import { HttpBrowser } from './browser.js';

const isCallback = (url: string) => new URL(url).pathname.startsWith('/api/mcp/oauth/callback');

/** A person with a browser in which they have signed in to the service. */
export interface PersonAtBrowser {
  person: { id: string; email: string; name: string };
  browser: HttpBrowser;
  /** Sends the key of elevated mode of the browser's session. */
  elevated: Caller;
}

/** Creates an Admin who has signed in, and manages servers by elevated mode. */
export async function anAdminAtBrowser(service: Service): Promise<PersonAtBrowser> {
  const person = await aPerson(service, 'Admin');
  return { person, ...(await atBrowser(service, person)) };
}

/** Begins another session of a person, in a browser of its own. */
export async function atBrowser(
  service: Service,
  person: { id: string; email: string; name: string },
): Promise<Omit<PersonAtBrowser, 'person'>> {
  const session = await signedIn(service, person);
  const elevation = await session.post('/api/auth/elevate', { password: PASSWORD });
  const [name, value] = session.headers['cookie']!.split('=') as [string, string];
  const browser = new HttpBrowser(service.connections);
  browser.setCookie(new URL(service.baseUrl).origin, name, value);
  return { browser, elevated: withKey(service, String(elevation.body['key'])) };
}

export const signInPath = ({ id }: { id: string }, set = 'default') =>
  `/api/mcp/installed/${id}/credential-sets/${set}/sign-in`;

/** Begins a sign-in and returns the address that the browser has to open. */
export async function begunBy(
  { elevated }: { elevated: Caller },
  server: { id: string },
  { set, ...body }: { set?: string; returnTo?: string } = {},
): Promise<string> {
  const answer = await elevated.post<{ authorizationUrl: string }>(signInPath(server, set), body);
  if (answer.status !== 200) throw new Error(`The sign-in did not begin: ${answer.text}`);
  return answer.body.authorizationUrl;
}

/** Signs in and consents at oidc-provider; returns the address of the callback, which the browser has not requested. */
export async function callbackOf(
  browser: HttpBrowser,
  authorizationUrl: string,
  account = 'ada',
): Promise<string> {
  let visited = await browser.follow(authorizationUrl, { stop: isCallback });
  for (let pages = 0; visited.location === null; pages += 1) {
    const action = /<form[^>]* action="([^"]+)"/.exec(visited.text)?.[1];
    if (!action || pages === 3) throw new Error(`The provider gave ${visited.status}: ${visited.text}`);
    const form: Record<string, string> = visited.text.includes('name="login"')
      ? { prompt: 'login', login: account, password: 'any' }
      : { prompt: 'consent' };
    visited = await browser.follow(new URL(action, visited.url).href, { stop: isCallback, form });
  }
  return visited.location;
}

/** Signs in to a server and returns the page of the service that the browser is led to. */
export async function signInTo(
  person: PersonAtBrowser,
  server: { id: string },
  options: { set?: string; returnTo?: string; account?: string } = {},
): Promise<string> {
  const { account, ...begin } = options;
  const callback = await callbackOf(person.browser, await begunBy(person, server, begin), account);
  return pageAfter(person.browser, callback);
}

/** Requests the callback and returns the path that it leads to. */
export async function pageAfter(browser: HttpBrowser, callback: string): Promise<string> {
  const answer = await browser.go(callback);
  if (answer.location === null) throw new Error(`The callback gave ${answer.status}: ${answer.text}`);
  const { origin, pathname, search } = new URL(answer.location);
  if (origin !== new URL(callback).origin) throw new Error(`The callback leads to ${answer.location}.`);
  return pathname + search;
}
