import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { until } from './until.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const DRIVER = process.env['CHROMEDRIVER_PATH'] ?? '/usr/bin/chromedriver';

/** The reason why no browser is available, or null. Debian's packages chromium and chromium-driver provide one. */
export const noBrowser: string | null =
  [CHROMIUM, DRIVER].filter((path) => !existsSync(path)).join(' and ') || null;

// Chromium does not run as root with its own sandbox. The other flags prevent background network traffic.
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'],
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** How long to wait for an element to appear. */
const WAITS_MS = 30_000;

/** The field name of an element's id in WebDriver's responses. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A page in a headless Chromium, driven over WebDriver. Elements are addressed by XPath. */
export class Browser {
  private constructor(
    private readonly driver: ChildProcess,
    private readonly folder: string,
    private readonly session: string,
  ) {}

  static async start(): Promise<Browser> {
    const folder = mkdtempSync(join(tmpdir(), 'awp-browser-'));
    const driver = spawn(DRIVER, ['--port=0'], { env: { PATH: process.env['PATH'], HOME: folder } });
    const base = `http://127.0.0.1:${await portOf(driver)}/session`;
    const options = { binary: CHROMIUM, args: [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`] };
    const timeouts = { implicit: WAITS_MS };
    const wanted = { capabilities: { alwaysMatch: { 'goog:chromeOptions': options, timeouts } } };
    const { sessionId } = await call<{ sessionId: string }>('POST', base, wanted);
    return new Browser(driver, folder, `${base}/${sessionId}`);
  }

  async open(url: string): Promise<void> {
    await call('POST', `${this.session}/url`, { url });
  }

  async click(xpath: string): Promise<void> {
    await this.on(xpath, 'click', {});
  }

  async type(xpath: string, text: string): Promise<void> {
    await this.on(xpath, 'value', { text });
  }

  /** Waits for the element and returns its visible text. */
  async text(xpath: string): Promise<string> {
    return call<string>('GET', `${await this.element(xpath)}/text`);
  }

  async stop(): Promise<void> {
    await call('DELETE', this.session);
    const ended = once(this.driver, 'close');
    this.driver.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Retries while the element moves or is covered, as happens while the page is being rendered. */
  private async on(xpath: string, action: string, body: object): Promise<void> {
    let fault: unknown;
    const done = async () =>
      call('POST', `${await this.element(xpath)}/${action}`, body).then(
        () => true,
        (error: unknown) => ((fault = error), false),
      );
    await until(done).catch(() => {
      throw fault;
    });
  }

  private async element(xpath: string): Promise<string> {
    const query = { using: 'xpath', value: xpath };
    const found = await call<Record<string, string>>('POST', `${this.session}/element`, query);
    return `${this.session}/element/${found[ELEMENT]}`;
  }
}

async function portOf(driver: ChildProcess): Promise<string> {
  let told = '';
  driver.stdout!.setEncoding('utf8').on('data', (text: string) => (told += text));
  return until(() => /started successfully on port (\d+)/.exec(told)?.[1]);
}

/** Sends one WebDriver command and returns its value. */
async function call<Value>(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<Value> {
  const answer = await request(url, { method, body: body && JSON.stringify(body) });
  const { value } = (await answer.body.json()) as { value: Value & { message?: string } };
  if (answer.statusCode !== 200) throw new Error(`The browser: ${value.message}`);
  return value;
}
