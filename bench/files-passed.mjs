// Counts the files of src that one warm request passes: a change of an issue to Resolved that unblocks another, and a
// tools/call of a running server. The service runs in this process, under V8's precise coverage; the build is one file, so
// its map says which source each function is of.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';
import { inRoot, root } from '../scripts/paths.mjs';
import { writeEntry } from './mcp/own-gateway.mjs';

/** Every request passes these before and after what it is about. */
const PIPELINE = /^src\/(app\.|platform\/(?!journal\/journal|database\/transactions))/;
const WARM_ROUNDS = 3;
const ROUNDS = 5;
const OWNER_KEY = 'awp_files-passed-0123456789abcdef0123456789abcdef';

await ensureInstalled();
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'awp-files-'));
writeEntry(folder, 'passed');
Object.assign(process.env, {
  DATA_DIR: join(folder, 'data'),
  CATALOG_DIRS: folder,
  PORT: '0',
  PROCESSES: '1',
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'warn',
  BOOTSTRAP_OWNER_EMAIL: 'owner@example.com',
  BOOTSTRAP_OWNER_PASSWORD: 'correct horse battery staple',
  BOOTSTRAP_OWNER_API_KEY: OWNER_KEY,
});
const { openService } = await import('../dist/src/app.run.js');
const { shutDown } = await import('../dist/src/app.start.js');
let shut = async () => undefined;
const url = await openService((app, database) => (shut = () => shutDown(app, database)));

try {
  tell('PUT Resolved, one dependent unblocked', await passedBy(await resolving()));
  tell('tools/call, stateless, server running', await passedBy(await calling()));
} finally {
  await shut();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** Returns a request that can be repeated: each resolves another issue that blocks one. */
async function resolving() {
  const { id: project } = await post('/api/projects', { key: 'FILES', name: 'Files' });
  const create = (title) => post(`/api/projects/${project}/issues`, { title });
  return async () => {
    const [blocker, blocked] = [await create('Blocker'), await create('Blocked')];
    await post(`/api/projects/issues/${blocker.id}/links`, { targetIssueId: blocked.id, linkType: 'Blocks' });
    return () => send('PUT', `/api/projects/issues/${blocker.id}`, { status: 'Resolved' });
  };
}

async function calling() {
  const server = await post('/api/mcp/installed', { catalogId: 'passed' });
  await post(`/api/mcp/installed/${server.id}/verify`, {});
  const agent = await post('/api/agents', { name: 'passes' });
  await send('PUT', `/api/agents/${agent.id}/access`, { entries: [{ serverId: server.id, granted: true }] });
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'files-passed', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const rpc = (method, params, headers = {}) =>
    send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, agent.key, {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...headers,
    });
  const { result } = await rpc('tools/list', {});
  const { name } = result.tools.find((tool) => tool.name.startsWith(`${server.slug}__`));
  return async () => () => rpc('tools/call', { name, arguments: {} }, { 'mcp-name': name });
}

/** Runs the request under coverage. @returns the files that each round passes, so that no tick of a timer counts */
async function passedBy(prepare) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const taken = [];
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const request = await prepare();
    await session.post('Profiler.takePreciseCoverage');
    await request();
    taken.push((await session.post('Profiler.takePreciseCoverage')).result);
  }
  session.disconnect();
  const rounds = taken.slice(WARM_ROUNDS).map((result) => new Set(result.flatMap(filesOf)));
  return [...rounds[0]].filter((file) => rounds.every((files) => files.has(file))).toSorted();
}

/** The sources of the functions of one built file that were called. */
function filesOf({ url: address, functions }) {
  if (!address.startsWith('file:') || !address.includes('/dist/src/')) return [];
  const file = new URL(address).pathname;
  const text = readFileSync(file, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return functions
    .filter(({ functionName, ranges }) => functionName !== '' || ranges[0].startOffset > 0)
    .filter(({ ranges }) => ranges[0].count > 0)
    .flatMap(({ ranges }) => {
      const offset = ranges[0].startOffset;
      const line = starts.findLastIndex((start) => start <= offset);
      const { originalSource } = map.findEntry(line, offset - starts[line]);
      if (!originalSource) return [];
      const path = relative(root, resolve(inRoot('dist/src'), originalSource.replace(/^file:\/\//, '')));
      // The maps of libraries name sources of their own, which may begin in the same way.
      return path.startsWith('src/') && existsSync(inRoot(path)) ? [path] : [];
    });
}

function tell(name, files) {
  const way = files.filter((file) => !PIPELINE.test(file));
  const behind = way.filter((file) => file.startsWith('src/mcp/processes/'));
  console.log(`\n${name}: ${files.length} files, ${files.length - way.length} of them of every request.`);
  console.log(
    `The way itself: ${way.length - behind.length}, and ${behind.length} behind the server's connection.`,
  );
  for (const file of way) console.log(`  ${file}`);
}

function post(path, body) {
  return send('POST', path, body);
}

async function send(method, path, body, key = OWNER_KEY, headers = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text.startsWith('event:') ? JSON.parse(/^data: (.*)$/m.exec(text)[1]) : text && JSON.parse(text);
}
