import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { OWNER, type Service } from './service.js';
import { until } from './until.js';

/** Debian's browsers. The one without windows takes a sixth less of the processor for the same pages. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? BROWSERS.find((path) => existsSync(path)) ?? BROWSERS[0]!;

/** The reason why the dashboard cannot be opened in a browser here, or null. */
export const noChromium: string | null = existsSync(CHROMIUM) ? null : `${CHROMIUM} is not installed`;

// Chromium does not run as root with its own sandbox. The other flags prevent background network traffic.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const WAITS_MS = 60_000;
/** The page asks who is signed in before anyone is. */
const BEFORE_SIGN_IN = 'status of 401';

/** Runs in the page: a violation of the policy becomes a console error, which fails the test. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violation: ' + event.violatedDirective + ' ' + event.blockedURI));`;

/** Runs in the page, after axe's own source. */
const RUN_AXE = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'], resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One page of the dashboard with everything that went wrong in it. */
export interface DashboardPage {
  page: Page;
  /** Console errors, uncaught errors, violations of the policy, and requests that got no response. */
  problems: string[];
}

/** A context of the browser, with its own cookies, and what went wrong in its page. */
interface Opened {
  context: BrowserContext;
  problems: string[];
  /** Who is signed in, and with which options; null where a test signs in itself. */
  key: string | null;
}

/**
 * A browser for a test file. Pages that are open at one time have their own cookies and storage. A context of someone
 * who is signed in serves one test after the other, so that the dashboard is loaded from its cache.
 */
export class DashboardBrowser {
  private browser: Browser | null = null;
  private ofTest: Opened[] = [];
  private expected: string[] = [];
  /** The sessions of those who have signed in, by e-mail. */
  private readonly sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();
  /** Contexts without a page, by who is signed in and with which options. */
  private readonly idle = new Map<string, BrowserContext[]>();

  constructor(private readonly service: () => Service) {}

  async start(): Promise<void> {
    this.browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
  }

  beginTest(): void {
    this.ofTest = [];
    this.expected = [BEFORE_SIGN_IN];
  }

  /** Names what a test makes go wrong: the browser notes each refused or lost request in its console. */
  mayNote(...words: string[]): void {
    this.expected.push(...words);
  }

  /**
   * Closes the pages that the test opened: each would follow the changes of all later tests.
   * @throws {Error} when something went wrong in one of them that the test did not name
   */
  async endTest(): Promise<void> {
    await Promise.all(this.ofTest.map((opened) => this.close(opened)));
    const problems = this.ofTest.flatMap((page) => page.problems);
    const unexpected = problems.filter((problem) => !this.expected.some((words) => problem.includes(words)));
    if (unexpected.length > 0) throw new Error(`In the browser: ${unexpected.join('\n')}`);
  }

  /** Opens an address without a session. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<DashboardPage> {
    return this.show(path, await this.newContext(options), null);
  }

  /** Opens an address as someone who is signed in. How people sign in is the subject of `dashboard/sign-in`. */
  async signedIn(
    path: string,
    { email, password }: { email: string; password: string } = OWNER,
    options: BrowserContextOptions = {},
  ): Promise<DashboardPage> {
    const key = JSON.stringify([email, options]);
    const context = this.idle.get(key)?.pop() ?? (await this.newContext(options));
    await this.giveSession(context, email, password);
    return this.show(path, context, key);
  }

  private newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    return this.browser!.newContext({
      baseURL: this.service().baseUrl,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
  }

  /** Signs in the first time in a test file, and gives the context no cookie but that of the session. */
  private async giveSession(context: BrowserContext, email: string, password: string): Promise<void> {
    await context.clearCookies();
    const cookies = this.sessions.get(email);
    if (cookies) return context.addCookies(cookies);
    const answer = await context.request.post('/api/auth/login', { data: { email, password } });
    if (!answer.ok()) throw new Error(`Signing in gave ${answer.status()}: ${await answer.text()}`);
    this.sessions.set(email, await context.cookies());
  }

  private async show(path: string, context: BrowserContext, key: string | null): Promise<DashboardPage> {
    const problems: string[] = [];
    this.ofTest.push({ context, problems, key });
    const page = await context.newPage();
    page.setDefaultTimeout(WAITS_MS);
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfailed', (request) => {
      // A page that is left ends its event stream and what it was still loading.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`${request.url()} failed`);
    });
    await page.addInitScript({ content: REPORT_VIOLATIONS });
    await page.goto(path);
    return { page, problems };
  }

  /** Keeps the context where what its page has stored can be removed. */
  private async close({ context, key }: Opened): Promise<void> {
    const pages = context.pages();
    const [page] = pages;
    if (key === null || pages.length !== 1 || !page?.url().startsWith(this.service().baseUrl))
      return context.close();
    await page.evaluate('localStorage.clear()');
    await page.close();
    this.idle.set(key, [...(this.idle.get(key) ?? []), context]);
  }
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Confirms with the password that servers are managed for 15 minutes. */
export async function confirmPassword(page: Page, password: string): Promise<void> {
  await page.getByRole('heading', { name: /^Confirm/ }).waitFor();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Manage servers for 15 minutes' }).click();
  await page.getByLabel('Password').waitFor({ state: 'detached' });
}

/** Goes to another screen within the page: a reload costs a second of a processor, and would end elevated mode. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  await page.waitForURL((url) => url.pathname + url.search === path);
  await until(() => page.evaluate<boolean>(HAS_ARRIVED));
}

/**
 * Runs in the page: whether the screen of its address is drawn, and nothing of it is being loaded. TanStack Router sets
 * `__TSR_ROUTER__` in production too.
 */
const HAS_ARRIVED = `(({ location, resolvedLocation, status }) =>
  status === 'idle' && location.pathname === window.location.pathname && location.href === resolvedLocation?.href &&
  !document.querySelector('[aria-busy="true"]'))(__TSR_ROUTER__.state)`;

/** Runs in the page. */
export const hasFocus = (element: { ownerDocument: { activeElement: unknown } }): boolean =>
  element === element.ownerDocument.activeElement;

/** Presses Tab until the focus is on an element, as someone without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let press = 0; press < 80; press += 1) {
    if (await target.evaluate(hasFocus)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('80 presses of Tab do not reach the element.');
}

/** The keyboard of someone without a mouse: it counts what is pressed to get somewhere, without what is typed into fields. */
export class CountedKeys {
  pressed = 0;

  constructor(readonly page: Page) {}

  async press(key: string): Promise<void> {
    this.pressed += 1;
    await this.page.keyboard.press(key);
  }

  /** Presses a key until the focus is on an element. */
  async pressUntil(key: string, target: Locator): Promise<void> {
    await target.waitFor();
    for (let press = 0; !(await target.evaluate(hasFocus)); press += 1) {
      if (press === 80) throw new Error(`80 presses of ${key} do not reach the element.`);
      await this.press(key);
    }
  }
}

/** Registers a browser for the tests of a file. */
export function dashboardBrowser(service: () => Service): DashboardBrowser {
  const browser = new DashboardBrowser(service);
  beforeAll(() => browser.start());
  afterAll(() => browser.stop());
  // Pages that are opened before all tests stay.
  beforeEach(() => browser.beginTest());
  afterEach(() => browser.endTest());
  return browser;
}

/** The looks in which accessibility is checked: theme, forced colours, width. The long form has them all. */
export const looks = [
  ['light', 'none', 1440],
  ['dark', 'none', 390],
  ...(process.env['TEST_SIZE'] === 'full'
    ? ([
        ['dark', 'none', 1440],
        ['light', 'active', 1440],
        ['light', 'none', 390],
        ['dark', 'active', 1440],
        ['light', 'active', 390],
      ] as const)
    : []),
] as const;

/** Runs in the page: the colours of the new look at once, and not of a moment on the way to them. */
const END_TRANSITIONS = `document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())`;

/** Shows one page in each look: a page of its own would be loaded, and led to what is checked, once per look. */
export async function inEachLook(
  page: Page,
  check: (look: string, width: number) => Promise<void>,
): Promise<void> {
  for (const [colorScheme, forcedColors, width] of looks) {
    await page.emulateMedia({ colorScheme, forcedColors });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(END_TRANSITIONS);
    await check(`${colorScheme} theme, forced colours ${forcedColors}, ${width} pixels`, width);
  }
}

/** What axe finds against WCAG 2.2 AA, one line per violation and element. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource);
  return page.evaluate<string[]>(RUN_AXE);
}

/** The bytes of live objects of a page after a collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
