// `npm run screenshots -- FOLDER` takes a picture of every screen of the dashboard, on a temporary service with the
// demo's data: light, dark, in a width of 380 pixels, and with forced colours. `--offline` leaves out the MCP servers,
// which come from the npm registry; `--only WORD` takes the pictures whose name has the word.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { buildDashboard } from './build-dashboard.mjs';
import { makeBoard } from './demo/board.mjs';
import { throwAwayService } from './demo/service.mjs';
import { makeServers } from './screenshots/servers.mjs';
import { looks, screens } from './screenshots/screens.mjs';
import { ensureBuilt } from './ensure-ready.mjs';

const args = process.argv.slice(2);
const folder = args.find((arg) => !arg.startsWith('--'));
if (folder === undefined)
  throw new Error('Name the folder for the pictures: npm run screenshots -- /tmp/pictures');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : '';
const person = { email: 'ada@example.com', password: 'a long enough password' };

await ensureBuilt();
await buildDashboard();
mkdirSync(folder, { recursive: true });
const service = await throwAwayService('screenshots', {
  settings: { BOOTSTRAP_OWNER_EMAIL: person.email, BOOTSTRAP_OWNER_PASSWORD: person.password },
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const board = await makeBoard(service);
  const servers = args.includes('--offline') ? [] : await makeServers(service, board);
  for (const [look, options] of Object.entries(looks)) await takeAll(look, options, { board, servers });
} finally {
  await browser.close();
  await service.close();
}

async function takeAll(look, options, data) {
  const context = await browser.newContext({ baseURL: service.url, ...options });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(`${look}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`${look}: ${error.message}`));
  for (const { name, open } of screens.filter((screen) => screen.name.includes(only))) {
    try {
      await open(page, { ...data, person });
      // Skeletons, fonts and entering panels are over.
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
    } catch (error) {
      console.log(`${name}-${look}: ${error.message.split('\n')[0]}`);
      await page.screenshot({ path: join(folder, `${name}-${look}-failed.png`) }).catch(() => undefined);
    }
  }
  await context.close();
}
