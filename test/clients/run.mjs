// `npm run test:clients`: real MCP clients and coding agents, unchanged, while the service restarts, dies, moves or forgets
// their sessions. A client passes where it works on without being restarted. The packages come from npm by the lockfiles
// beside this file and in agents/, into folders of their own. `npm run test:clients -- langchain` runs those with that word
// in their name. AWP_CLIENTS may name a folder that has the agents.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled } from '../../scripts/ensure-ready.mjs';
import { inRoot } from '../../scripts/paths.mjs';

const LIMIT_MS = 60_000;
const here = import.meta.dirname;
const folder = inRoot('.tmp/clients');
const agentsFolder = process.env.AWP_CLIENTS ?? inRoot('.tmp/agents');

await ensureInstalled();
await ensureBuilt();
process.env.MCP_USE_ANONYMIZED_TELEMETRY = 'false';
process.env.MCP_REMOTE_CONFIG_DIR = join(folder, 'mcp-remote');
const { adapters: libraries } = await import('./adapters.mjs');
const { agents } = await import('./agents.mjs');
const { events } = await import('./events.mjs');
const { World } = await import('./world.mjs');

// Libraries leave failed notification streams behind, whose errors nothing awaits.
let stray = 0;
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => (stray += 1));

const words = process.argv.slice(2);
const isChosen = (name) => words.every((word) => name.includes(word));
const names = Object.keys({ ...libraries, ...agents }).filter(isChosen);
const adapters = { ...agents, ...(names.some((name) => libraries[name]) && (await broughtLibraries())) };
if (names.some((name) => agents[name]) && !process.env.AWP_CLIENTS) bring(join(here, 'agents'), agentsFolder);
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
  const client = await adapters[name](`${world.url}/mcp`, world.key, join(agentsFolder, 'node_modules'));
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

/** The libraries are found from where their adapters are, so both are in one folder. */
async function broughtLibraries() {
  bring(here, folder, ['adapters.mjs'], ['--omit=optional', '--legacy-peer-deps']);
  return (await import(pathToFileURL(join(folder, 'adapters.mjs')).href)).adapters;
}

/** Installs by the lockfile when it changed. Scripts of packages do not run. */
function bring(from, to, files = [], flags = []) {
  mkdirSync(to, { recursive: true });
  const lock = 'package-lock.json';
  const isSame =
    existsSync(join(to, 'node_modules')) &&
    existsSync(join(to, lock)) &&
    readFileSync(join(to, lock), 'utf8') === readFileSync(join(from, lock), 'utf8');
  for (const file of ['package.json', lock, ...files]) copyFileSync(join(from, file), join(to, file));
  if (isSame) return;
  // `npm ci` rejects a lockfile that lacks an optional package, and a registry may not have those of every platform.
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...flags], {
    cwd: to,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The clients could not be fetched from the npm registry.');
  // npm may have completed it.
  copyFileSync(join(from, lock), join(to, lock));
}
