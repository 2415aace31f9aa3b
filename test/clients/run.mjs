// `npm run test:clients`: real MCP client libraries, unchanged, while the service restarts, dies, moves or forgets their
// sessions. A client passes where it works on without being restarted. The libraries come from npm by the lockfile beside
// this file, into a folder of their own. `npm run test:clients -- langchain` runs those with that word in their name.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled } from '../../scripts/ensure-ready.mjs';
import { inRoot } from '../../scripts/paths.mjs';

const LIMIT_MS = 60_000;
const here = import.meta.dirname;
const folder = inRoot('.tmp/clients');

await ensureInstalled();
await ensureBuilt();
bringLibraries();
process.env.MCP_USE_ANONYMIZED_TELEMETRY = 'false';
process.env.MCP_REMOTE_CONFIG_DIR = join(folder, 'mcp-remote');
const { adapters } = await import(pathToFileURL(join(folder, 'adapters.mjs')).href);
const { events } = await import('./events.mjs');
const { World } = await import('./world.mjs');

// Libraries leave failed notification streams behind, whose errors nothing awaits.
let stray = 0;
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => (stray += 1));

const words = process.argv.slice(2);
const names = Object.keys(adapters).filter((name) => words.every((word) => name.includes(word)));
const world = new World();
let failures = names.length === 0 ? 1 : 0;
try {
  await world.open();
  for (const name of names) await drill(name);
} finally {
  await world.close();
}
console.log(
  `\n${names.length} clients, ${Object.keys(events).length} events, ${failures} failures, ${stray} errors of libraries that nothing awaits.`,
);
process.exit(failures === 0 ? 0 : 1);

async function drill(name) {
  console.log(`\n${name}`);
  const client = await adapters[name](`${world.url}/mcp`, world.key);
  const echo = async () => {
    const word = String(Math.random());
    const text = await client.call(`${world.slug}__echo`, { word });
    if (!text.includes(word)) throw new Error(`the echo is ${JSON.stringify(text)}`);
  };
  const wait = (ms) => client.call(`${world.slug}__wait`, { ms });
  await check('the first call', echo);
  for (const [event, happen] of Object.entries(events))
    await check(event, async () => {
      const interrupted = await happen(world, wait);
      await echo();
      return interrupted;
    });
  await client.close().catch(() => undefined);
}

async function check(what, work) {
  const begin = performance.now();
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  try {
    const said = await Promise.race([work(), limit]);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(
      `  passed  ${what} (${seconds} s)${said ? `; the call under way: ${said.slice(0, 120)}` : ''}`,
    );
  } catch (error) {
    failures += 1;
    console.log(`  FAILED  ${what}: ${error.message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Installs by the lockfile when it changed. Scripts of packages do not run. */
function bringLibraries() {
  mkdirSync(folder, { recursive: true });
  const lock = 'package-lock.json';
  const isSame =
    existsSync(join(folder, 'node_modules')) &&
    existsSync(join(folder, lock)) &&
    readFileSync(join(folder, lock), 'utf8') === readFileSync(join(here, lock), 'utf8');
  for (const file of ['package.json', lock, 'adapters.mjs'])
    copyFileSync(join(here, file), join(folder, file));
  if (isSame) return;
  const flags = ['--ignore-scripts', '--omit=optional', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['ci', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The client libraries could not be fetched from the npm registry.');
}
