// `npm run screenshots -- FOLDER` takes a picture of every screen of the dashboard, on a temporary service with the
// demo's data: light, dark, in widths of 1024 and 390 pixels, and with forced colours. `--offline` leaves out the MCP servers,
// which come from the npm registry; `--only WORD,WORD` takes the pictures whose name has one of the words, and `--look
// forced` one of the looks. `--readme` takes those of README.md into docs/pictures instead.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { dataOf } from '../client/client.mjs';
import { buildDashboard } from './build-dashboard.mjs';
import { makeBoard } from './demo/board.mjs';
import { workOn } from './demo/board-work.mjs';
import { person, throwAwayService } from './demo/service.mjs';
import {
  askByForm,
  askForApproval,
  callSomeTools,
  failAs,
  FORM_WAIT_SECONDS,
  makeServers,
} from './screenshots/servers.mjs';
import { login, looks, readme, screens, signIn } from './screenshots/screens.mjs';
import { ensureBuilt } from './ensure-ready.mjs';
import { inRoot } from './paths.mjs';

const { values: chosen, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    offline: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    look: { type: 'string' },
    readme: { type: 'boolean', default: false },
  },
});
const folder = chosen.readme ? inRoot('docs/pictures') : positionals[0];
if (folder === undefined)
  throw new Error('Name the folder for the pictures: npm run screenshots -- /tmp/pictures');

await ensureBuilt();
await buildDashboard();
mkdirSync(folder, { recursive: true });
const service = await throwAwayService('screenshots', {
  settings: {
    BOOTSTRAP_OWNER_EMAIL: person.email,
    BOOTSTRAP_OWNER_PASSWORD: person.password,
    APPROVAL_WAIT_SECONDS: String(FORM_WAIT_SECONDS),
  },
});
const browser = await chromium.launch({
  executablePath:
    process.env.CHROMIUM_PATH ??
    ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find((path) => existsSync(path)),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const board = await makeBoard(service);
  if (!chosen.readme) await sortOut(board);
  const servers = chosen.readme || chosen.offline ? [] : await makeServers(service, board);
  for (const round of [1, 2, 3])
    for (const agent of board.agents.slice(0, 2)) await workOn(service, agent, round, 0);
  if (servers.length > 0) {
    await callSomeTools(service, board.agents[0]);
    await askForApproval(service, board.agents[1]);
    await askByForm(service, board.agents[1]);
  }
  if (!chosen.readme) await failAs(service, board.agents[3]);
  const data = { board, servers, person };
  if (chosen.readme) await take(readme.look, '', readme.names, data);
  else
    for (const [look, options] of Object.entries(looks))
      if (chosen.look === undefined || chosen.look === look)
        await take(options, `-${look}`, [login, ...screens].map(({ name }) => name).filter(isWanted), data);
} finally {
  await browser.close();
  await service.close();
}

function isWanted(name) {
  return chosen.only.split(',').some((word) => name.includes(word));
}

/** Gives issues of the board labels and one of them parts, and keeps a view of its list. */
async function sortOut({ project, issues }) {
  const path = { projectId: project.id };
  const label = (name, color) =>
    dataOf(service.api.POST('/api/projects/{projectId}/labels', { params: { path }, body: { name, color } }));
  await Promise.all([label('bug', 'red'), label('ledger', 'blue'), label('needs design', 'violet')]);
  const all = [...issues.values()];
  for (const [index, { id }] of all.entries())
    if (index % 3 !== 2)
      await dataOf(
        service.api.PUT('/api/projects/issues/{issueId}', {
          params: { path: { issueId: id } },
          body: { labels: index % 2 === 0 ? ['bug'] : ['ledger', 'needs design'] },
        }),
      );
  const whole = issues.get('Reconcile refunds with the ledger every night');
  for (const title of ['Read the refunds of the day', 'Compare them with the ledger', 'Write the report'])
    await dataOf(
      service.api.POST('/api/projects/{projectId}/issues', {
        params: { path },
        body: { title, parentId: whole.id },
      }),
    );
  const view = { name: 'Bugs of the week', query: 'label=bug&group=agent', shared: true };
  await dataOf(service.api.POST('/api/projects/{projectId}/views', { params: { path }, body: view }));
}

/** Takes the named screens in one browser context; the sign-in is one of them or comes before them. */
async function take(options, suffix, names, data) {
  const context = await browser.newContext({ baseURL: service.url, ...options });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(`${suffix}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`${suffix}: ${error.message}`));
  if (names.includes(login.name)) await picture(page, login, suffix, data);
  await signIn(page, person);
  for (const screen of screens.filter(({ name }) => names.includes(name)))
    await picture(page, screen, suffix, data);
  await context.close();
}

async function picture(page, { name, open }, suffix, data) {
  try {
    await open(page, data);
    await page
      .locator('[role=status][aria-busy=true]')
      .first()
      .waitFor({ state: 'detached', timeout: 10_000 });
    // Fonts, and panels that enter.
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`) });
  } catch (error) {
    console.log(`${name}${suffix}: ${error.message.split('\n')[0]}`);
    await page.screenshot({ path: join(folder, `${name}${suffix}-failed.png`) }).catch(() => undefined);
  }
}
