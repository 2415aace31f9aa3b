import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Stop } from 'agent-work-platform-client/work-loop';
import type { Attachment, WorkerApi, WorkItem } from 'agent-work-platform-client/worker';
import { clean } from '../src/commands/workspaces.js';
import { parseConfig } from '../src/config/config-file.js';
import { takeFolder } from '../src/processes/guard.js';
import { Progress } from '../src/run/progress.js';
import { RunLog } from '../src/run/run-log.js';
import { allStates, logFileOf, stateFor, writeState } from '../src/run/run-state.js';
import { CheckedService } from '../src/run/checked-service.js';
import { pathBelow } from '../src/workspace/paths.js';
import { Workspace } from '../src/workspace/workspace.js';

const MAIN = join(import.meta.dirname, '../dist/main.js');
const MIB = 2 ** 20;
const ID = '01a211f0-eee9-7575-9933-694987e42bfb';
let base: string;
let root: string;
let victim: string;
const servers: Server[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'awp-hostile-'));
  root = join(base, 'work');
  victim = join(base, 'victim');
  mkdirSync(join(victim, 'inner'), { recursive: true });
  writeFileSync(join(victim, 'inner', 'file'), 'precious');
});
afterEach(() => {
  servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close()));
  rmSync(base, { recursive: true, force: true });
});

/** What lies beside the workspaces, with its contents. */
function outside(): Record<string, string> {
  const names = readdirSync(base, { recursive: true, encoding: 'utf8' });
  const mine = names.filter((name) => !/^(work|awp-runner\.yaml|key)(\/|$)/.test(name));
  const textOf = (name: string) =>
    lstatSync(join(base, name)).isFile() ? readFileSync(join(base, name), 'utf8') : '';
  return Object.fromEntries(mine.toSorted().map((name) => [name, textOf(name)]));
}
const UNTOUCHED = { victim: '', 'victim/inner': '', 'victim/inner/file': 'precious' };

interface Answers {
  work?: object[];
  files?: object[];
  redirect?: { from: string; to: string };
}

const item = (change: object = {}, key = 'AB-1') => ({
  ...{ issueId: ID, token: 1, state: 'start', reason: null, expiresAt: null, brief: '# AB-1', changed: [] },
  ...{ newComments: [], newAttachments: [], answers: [] },
  issue: { id: ID, key, status: 'InProgress', attempts: 0 },
  connect: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer awp_l_x' } },
  ...change,
});

/** A service that answers what it likes. */
async function hostile({ work = [], files = [], redirect }: Answers) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x');
    asked.push(pathname);
    request.resume();
    const isFirst = asked.filter((path) => path.endsWith('/heartbeat')).length === 1;
    response.setHeader('content-type', 'application/json');
    if (redirect && pathname.endsWith(redirect.from))
      response.writeHead(307, { location: redirect.to }).end();
    else if (pathname.endsWith('/heartbeat'))
      response.end(
        JSON.stringify({ work: isFirst ? work : work.map((one) => ({ ...one, state: 'continue' })) }),
      );
    else if (pathname.endsWith('/attachments') && request.method === 'GET')
      response.end(JSON.stringify(files));
    else if (pathname.includes('/download')) response.end('evil');
    else response.end('{"id":"x"}');
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Runs the runner with a service until it ends, or has finished or given back the issue. */
async function runWith(answers: Answers): Promise<{ code: number | null; output: string }> {
  const { url, asked } = await hostile(answers);
  const command = ['/bin/sh', '-c', 'cat > /dev/null; echo did it'];
  writeFileSync(join(base, 'key'), 'awp_a_x', { mode: 0o600 });
  const config = { url, workspaces: root, agents: { bot: { key: './key', command } } };
  writeFileSync(join(base, 'awp-runner.yaml'), JSON.stringify(config));
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: base };
  const child = spawn(process.execPath, [MAIN, 'run'], { cwd: base, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const timer = setInterval(() => {
    if (asked.some((path) => /\/(finish|release)$/.test(path))) child.kill('SIGKILL');
  }, 20);
  await once(child, 'close');
  clearInterval(timer);
  return { code: child.exitCode, output };
}

const config = (limits = {}) =>
  parseConfig(
    JSON.stringify({
      url: 'http://127.0.0.1:1',
      workspaces: root,
      agents: { bot: { key: '$K', command: 'true', limits } },
    }),
  );
const workspace = (limits = {}) =>
  new Workspace({ root, name: 'bot', config: config(limits).agents['bot']! }, 'AB-1', 'mark');
const never = new Stop().now;

describe('a service that is not the right one', () => {
  it('writes and deletes nothing beside the workspaces by the key of an issue', async () => {
    const { code, output } = await runWith({ work: [item({}, '../../victim')] });
    expect(outside()).toEqual(UNTOUCHED);
    expect(code).toBe(1);
    expect(output).toContain('«../../victim» is not the key of an issue');
  });

  it('writes nothing beside the workspaces by the id of an attachment', async () => {
    const files = [{ id: 'x/../..', filename: '-pwned.txt', size: 4, downloadUrl: '/download' }];
    const { output } = await runWith({ work: [item()], files });
    expect(output).toContain('attachments that cannot be right');
    expect(outside()).toEqual(UNTOUCHED);
    const [folder, agent] = [join(root, 'bot', 'AB-1'), join(root, 'bot')];
    expect(readdirSync(root, { recursive: true }).filter((name) => String(name).includes('pwned'))).toEqual(
      [],
    );
    expect([existsSync(folder), existsSync(agent)]).toEqual([true, true]);
  });

  it.each([
    '..',
    '.',
    '',
    '.runs',
    '.home',
    '/etc',
    'AB-1/../../../victim',
    'ab-1',
    'AB-1 ',
    'AB-1\0',
    'AB-0',
    'A-1',
    '__proto__',
    7,
    null,
  ])('cannot name an issue %j', async (key) => {
    const { url } = await hostile({ work: [item({ issue: { key } })] });
    await expect(new CheckedService(url, 'k').heartbeat({ worker: 'w' }, 0)).rejects.toThrow(/issue/);
  });

  it.each([
    [{ issueId: '../..' }],
    [{ token: -1 }],
    [{ token: '1' }],
    [{ state: 'begin' }],
    [{ issue: null }],
    [{ connect: null }],
    [{ connect: { url: 'file:///etc/passwd', headers: {} } }],
    [{ connect: { url: 'http://x', headers: { Authorization: 7 } } }],
  ])('cannot hand out work with %j', async (change) => {
    const { url } = await hostile({ work: [item(change)] });
    await expect(new CheckedService(url, 'k').heartbeat({ worker: 'w' }, 0)).rejects.toThrow(
      'cannot be right',
    );
  });

  it.each([
    [{ id: '/../..' }],
    [{ id: 'l' }],
    [{ filename: 7 }],
    [{ downloadUrl: '@evil.example/' }],
    [{ downloadUrl: '//evil.example/' }],
    [{ downloadUrl: '/\\evil.example/' }],
    [{ downloadUrl: 'http://evil.example/' }],
  ])('cannot list an attachment with %j', async (change) => {
    const files = [{ id: ID, filename: 'a.txt', size: 4, downloadUrl: '/download', ...change }];
    const { url } = await hostile({ files });
    await expect(new CheckedService(url, 'k').attachments(ID)).rejects.toThrow('cannot be right');
  });

  it.each([
    ['/run', (service: WorkerApi) => service.report(ID, { token: 1, output: 'secret' })],
    ['/attachments', (service: WorkerApi) => service.upload(ID, 'a.txt', new Blob(['secret']), null)],
    ['/download', (service: WorkerApi) => service.download('/download')],
  ])('cannot lead a request to %s to another address', async (from, request) => {
    const elsewhere = await hostile({});
    const { url } = await hostile({ redirect: { from, to: `${elsewhere.url}${from}` } });
    await expect(request(new CheckedService(url, 'k'))).rejects.toThrow(
      `a redirect to ${elsewhere.url}${from}`,
    );
    expect(elsewhere.asked).toEqual([]);
  });

  it('may list an issue to stop that the agent does not see', async () => {
    const { url } = await hostile({
      work: [item({ state: 'stop', issue: null, connect: null, brief: null })],
    });
    expect((await new CheckedService(url, 'k').heartbeat({ worker: 'w' }, 0)).work).toHaveLength(1);
  });
});

describe('the files of an issue', () => {
  const service = { download: () => Promise.resolve(new Blob(['bytes']).stream()) } as unknown as WorkerApi;
  const file = (filename: string) => ({ id: ID, filename, downloadUrl: '/download' }) as Attachment;

  it.each([
    ['with a path', '../../../../victim/inner/file', 'e42bfb-.._.._.._.._victim_inner_file'],
    ['with control characters', 'a\nb\u001B[31m.txt', 'e42bfb-a_b_[31m.txt'],
    ['of dots alone', '..', 'e42bfb-..'],
    ['that are long', '🦊'.repeat(255), `e42bfb-${'🦊'.repeat(50)}`],
    ['that are long with an extension', `${'x'.repeat(251)}.txt`, `e42bfb-${'x'.repeat(196)}.txt`],
  ])('%s get a name in their folder', async (_which, sent, name) => {
    const [path] = await workspace().download(service, [file(sent)]);
    expect(path).toBe(join(root, 'bot', 'AB-1', '.awp', 'files', name));
    expect(readFileSync(path!, 'utf8')).toBe('bytes');
    expect(outside()).toEqual(UNTOUCHED);
  });

  it.each([
    ['.awp', '', (place: Workspace) => place.write('brief.md', 'evil')],
    ['.awp/brief.md', 'inner/file', (place: Workspace) => place.write('brief.md', 'evil')],
    ['.awp/files', '', (place: Workspace) => place.download(service, [file('a.txt')])],
    ['.awp/files/e42bfb-a.txt', 'new', (place: Workspace) => place.download(service, [file('a.txt')])],
    ['.awp/result.md', 'inner/file', (place: Workspace) => place.read('result.md', 10)],
  ])('are neither written nor read through a link at %s', async (link, to, act) => {
    const path = join(root, 'bot', 'AB-1', link);
    mkdirSync(join(path, '..'), { recursive: true });
    symlinkSync(join(victim, to), path);
    await expect((async () => act(workspace()))()).rejects.toThrow(/is a link/);
    expect(outside()).toEqual(UNTOUCHED);
  });

  it.each([
    ['read', `place.read('result.md', 10)`],
    ['write', `place.write('result.md', '')`],
  ])('do not stop the runner at a named pipe that no other process opens (%s)', (_which, act) => {
    const folder = join(root, 'bot', 'AB-1', '.awp');
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [join(folder, 'result.md')]);
    const agent = JSON.stringify({ root, name: 'bot', config: config().agents['bot'] });
    const module = new URL('../dist/workspace/workspace.js', import.meta.url).href;
    const code = `import { Workspace } from ${JSON.stringify(module)};
      const place = new Workspace(${agent}, 'AB-1', 'mark');
      try { ${act}; } catch (error) { process.stdout.write(error.message); }`;
    // A process of its own, because one that waits for the other end of a pipe can only be killed.
    const command = ['--input-type=module', '--eval', code];
    const { stdout, signal } = spawnSync(process.execPath, command, { encoding: 'utf8', timeout: 20_000 });
    expect(signal).toBeNull();
    expect(stdout).toMatch(/result\.md is not a file|ENXIO/);
  });

  it('are read no further than asked, however long an agent made them', () => {
    const place = workspace();
    truncateSync(place.write('result.md', 'abc'), 2 ** 32);
    expect(place.read('result.md', 3)).toBe('abc');
  });

  it.each([
    ['by its size', MIB + 1],
    ['by its bytes, where the service names another size', 1],
  ])(
    'stay within limits.files_mb: one that is too large %s is left out, and the agent reads so',
    async (_, size) => {
      const sent: string[] = [];
      const other = {
        download(path: string) {
          sent.push(path);
          return Promise.resolve(new Blob([path === '/small' ? 'bytes' : new Uint8Array(2 * MIB)]).stream());
        },
      } as unknown as WorkerApi;
      const files = [
        { id: ID, filename: 'large', size, downloadUrl: '/large' },
        { id: ID.replace(/b$/, 'c'), filename: 'small', size: 5, downloadUrl: '/small' },
      ] as Attachment[];
      const place = workspace({ files_mb: 1 });
      const folder = join(root, 'bot', 'AB-1', '.awp', 'files');
      expect(await place.download(other, files)).toEqual([
        join(folder, 'e42bfb-large (not downloaded: beyond limits.files_mb)'),
        join(folder, 'e42bfc-small'),
      ]);
      expect(readdirSync(folder)).toEqual(['e42bfc-small']);
      // What is said to be too large is not asked for.
      expect(sent).toEqual(size === 1 ? ['/large', '/small'] : ['/small']);
      expect(await place.download(other, files, true)).toEqual([]);
      expect(sent).toHaveLength(size === 1 ? 2 : 1);
    },
  );

  it('replace a link at a download that broke off', async () => {
    const files = join(root, 'bot', 'AB-1', '.awp', 'files');
    mkdirSync(files, { recursive: true });
    symlinkSync(join(victim, 'inner', 'file'), join(files, 'e42bfb-a.txt.part'));
    await workspace().download(service, [file('a.txt')]);
    expect(outside()).toEqual(UNTOUCHED);
  });
});

it.each(['..', '.', '', 'a/b', 'a\\b', 'a\0b'])('a path below a folder has no name %j', (name) => {
  expect(() => pathBelow(base, 'work', name)).toThrow(/is not a name of a file/);
});

describe('the folder of an issue', () => {
  it('that is a link is made again', async () => {
    mkdirSync(join(root, 'bot'), { recursive: true });
    symlinkSync(victim, join(root, 'bot', 'AB-1'));
    const place = workspace();
    await place.create(true, never);
    expect(lstatSync(place.folder).isDirectory()).toBe(true);
    expect(outside()).toEqual(UNTOUCHED);
  });

  it.each(['bot', 'bot/.runs', 'bot/.runner'])('is not used where %s is a link', async (link) => {
    mkdirSync(join(root, link, '..'), { recursive: true });
    symlinkSync(victim, join(root, link));
    await expect(takeFolder(root, 'bot')).rejects.toThrow(/is a link/);
    expect(outside()).toEqual(UNTOUCHED);
  });
});

describe('the state and the log of a run', () => {
  const given = item() as unknown as WorkItem;
  const runs = () => join(root, 'bot', '.runs');

  it.each(['AB-1.json', 'AB-1.json.new', 'AB-1.jsonl'])('are not written through a link at %s', (name) => {
    mkdirSync(runs(), { recursive: true });
    symlinkSync(join(victim, 'inner', 'file'), join(runs(), name));
    writeState(root, stateFor(root, 'bot', given));
    new RunLog(logFileOf(root, 'bot', 'AB-1')).write('kind', 'evil');
    expect(outside()).toEqual(UNTOUCHED);
  });

  it('are not written where the agent has replaced their folder by a link during the run', () => {
    mkdirSync(runs(), { recursive: true });
    const log = new RunLog(logFileOf(root, 'bot', 'AB-1'), [], root);
    log.write('kind', 'before');
    renameSync(runs(), `${runs()}.before`);
    symlinkSync(join(victim, 'inner'), runs());
    log.write('kind', 'evil');
    expect(() => log.file).toThrow(/\.runs is a link/);
    expect(outside()).toEqual(UNTOUCHED);
  });

  it('are not uploaded through a link', () => {
    mkdirSync(runs(), { recursive: true });
    const log = new RunLog(logFileOf(root, 'bot', 'AB-1'));
    symlinkSync(join(victim, 'inner', 'file'), join(runs(), 'AB-1.jsonl'));
    expect(() => log.file).toThrow(/is a link/);
  });

  it.each(['../../victim', '..'])('have the key of their file, whatever stands in it (%s)', async (key) => {
    mkdirSync(runs(), { recursive: true });
    const state = { ...stateFor(root, 'bot', given), status: 'ended', updatedAt: '2020-01-01T00:00:00Z' };
    const name = key === '..' ? '..' : 'AB-1';
    writeFileSync(
      join(runs(), `${name}.json`),
      JSON.stringify({ ...state, key, agent: key === '..' ? 'bot' : '..' }),
    );
    expect(stateFor(root, 'bot', given)).toMatchObject({ key: 'AB-1', agent: 'bot', issueId: ID });
    expect(allStates(root, ['bot'])).toEqual([]);
    expect(await clean(config())).toBe(0);
    expect(existsSync(root)).toBe(true);
    expect(outside()).toEqual(UNTOUCHED);
  });
});

it('text of the service cannot move the cursor of the terminal', () => {
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
  try {
    new Progress().say('bot', 'gets no work: \u001B[2J\u001B]0;title\u0007\u0008halted');
  } finally {
    process.stdout.write = write;
  }
  expect(written.join('')).toMatch(/bot gets no work: halted\n$/);
});
