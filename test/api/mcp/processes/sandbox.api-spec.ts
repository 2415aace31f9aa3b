import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpConnection } from '../../../../src/mcp/processes/connection/mcp-connection.js';
import { openConnection } from '../../../../src/mcp/processes/connection/open-connection.js';
import { probeSandbox } from '../../../../src/mcp/processes/sandbox/sandbox-probe.js';
import { aDataDir, aServer, BEST_LEVELS, LEVELS, STRONGEST, textOf } from './fake-servers.js';

/**
 * A hostile server tries to leave its sandbox. What it must not find lies where the service keeps it:
 * key ring, database, attachments in the data folder, secrets in the service's environment and memory.
 */
const data = aDataDir();
const CANARY = 'canary-in-the-service';
const built = fileURLToPath(
  new URL('../../../../dist/src/mcp/processes/connection/open-connection.js', import.meta.url),
);
const hostScript = fileURLToPath(
  new URL('../../../support/mcp-servers/signal-receiver.mjs', import.meta.url),
);
const maskedProc = fileURLToPath(new URL('../../../support/masked-proc.sh', import.meta.url));
const inData = (name: string): string => join(data.path, name);
const outside = aDataDir();

beforeAll(() => {
  ['database', 'attachments'].forEach((folder) => mkdirSync(inData(folder)));
  ['keyring.json', 'database/PG_VERSION', 'attachments/file'].forEach((file) =>
    writeFileSync(inData(file), CANARY),
  );
  writeFileSync(join(outside.path, 'keyring.json'), CANARY);
});
afterAll(() => {
  data.drop();
  outside.drop();
});

describe.each(BEST_LEVELS)('at the level %s a server', (sandbox) => {
  let burglar: McpConnection;
  let neighbour: McpConnection;
  let database: Server;
  const neighbourDir = inData(`neighbour-${sandbox}`);
  const options = {
    sandbox,
    serviceDataDir: data.path,
    hiddenPaths: [join(outside.path, 'keyring.json')],
    startTimeoutMs: 20_000,
  };

  beforeAll(async () => {
    neighbour = await openConnection(
      aServer(data.path, 'misbehaving.mjs polite', { dataDir: neighbourDir, env: { TOKEN: CANARY } }),
      options,
    );
    writeFileSync(join(neighbourDir, 'memory.json'), CANARY);
    burglar = await openConnection(
      aServer(data.path, 'sandbox-attempts.mjs', {
        dataDir: inData(`burglar-${sandbox}`),
        readOnlyPaths: [outside.path],
      }),
      options,
    );
    database = createServer().listen(join(data.path, 'database', `socket-${sandbox}`));
  });
  afterAll(async () => {
    database.close();
    await burglar.close();
    await neighbour.close();
  });
  const attempt = async (name: string, given: Record<string, unknown> = {}): Promise<string> =>
    textOf(await burglar.request('tools/call', { name, arguments: given }));

  it('cannot read the environment of the service or of another server', async () => {
    const found = await attempt('environments');
    expect(found).toContain(`burglar-${sandbox}`);
    expect(found).not.toContain(CANARY);
    ownEnvironment().forEach((entry) => expect(found).not.toContain(entry));
  });

  it('cannot see the command line of the service or of another server', async () => {
    const commandLines = await attempt('arguments');
    expect(commandLines).toContain('sandbox-attempts.mjs');
    expect(commandLines).not.toContain('misbehaving.mjs');
    expect(commandLines).not.toContain('jest');
  });

  it("cannot read the service's memory, trace it or signal it", async () => {
    expect(await attempt('memory', { pid: process.pid })).toMatch(/^refused/);
    expect(await attempt('trace', { pid: process.pid })).toMatch(/^refused/);
    expect(await attempt('signal', { pid: process.pid, signal: 'SIGUSR1' })).toMatch(/^refused/);
  });

  it.each(['keyring.json', 'database/PG_VERSION', 'attachments/file'])(
    'cannot read %s in the data folder',
    async (file) => {
      expect(await attempt('read-file', { path: inData(file) })).toBe('refused: ENOENT');
    },
  );

  it('sees only its own files in the data folder', async () => {
    expect((await attempt('list-folder', { path: data.path })).split(' ').toSorted()).toEqual([
      `burglar-${sandbox}`,
      'mcp-run',
    ]);
    expect((await attempt('list-folder', { path: inData('mcp-run') })).split(' ')).toHaveLength(1);
  });

  it('cannot read a key ring elsewhere, even when a folder around it is mounted', async () => {
    expect(await attempt('list-folder', { path: outside.path })).toBe('keyring.json');
    expect(await attempt('read-file', { path: join(outside.path, 'keyring.json') })).not.toContain(CANARY);
  });

  it('does not start where a link has taken the place of one of its files and leads to the key ring', async () => {
    const link = join(outside.path, `config-${sandbox}`);
    symlinkSync(inData('keyring.json'), link);
    const misled = aServer(data.path, 'sandbox-attempts.mjs', {
      dataDir: inData(`misled-${sandbox}`),
      readOnlyPaths: [link],
    });
    try {
      await expect(openConnection(misled, options)).rejects.toThrow('Look at the links');
    } finally {
      rmSync(link);
    }
  });

  it('cannot read the folder or the process of another server', async () => {
    expect(await attempt('read-file', { path: join(neighbourDir, 'memory.json') })).toBe('refused: ENOENT');
    expect(await attempt('signal', { pid: neighbour.pid, signal: 'SIGTERM' })).toMatch(/^refused/);
  });

  it('cannot reach the socket of the database in the data folder', async () => {
    expect(await attempt('connect-socket', { path: join(data.path, 'database', `socket-${sandbox}`) })).toBe(
      'refused: ENOENT',
    );
  });

  it('has no capabilities, and cannot write to its package, to the system or to kernel switches', async () => {
    expect(await attempt('capabilities')).toMatch(/^0+$/);
    for (const path of [
      '/usr/planted',
      '/planted',
      '/etc/planted',
      '/dev/planted',
      '/proc/sys/kernel/core_pattern',
      data.path + '/planted',
    ]) {
      expect(await attempt('write-file', { path })).toMatch(/^refused: (EROFS|EACCES|EPERM)/);
    }
  });

  it('cannot make a user namespace, in which it would have every capability', async () => {
    expect(await attempt('nested-namespace')).toMatch(/^refused/);
  });

  it('can write to its own folder and to /tmp', async () => {
    expect(await attempt('write-file', { path: join(inData(`burglar-${sandbox}`), 'own') })).toBe('written');
    expect(await readFile(join(inData(`burglar-${sandbox}`), 'own'), 'utf8')).toBe('x');
    expect(await attempt('write-file', { path: '/tmp/own' })).toBe('written');
  });
});

/** Runs a command in the sandbox as a service of this user does, without the filter of system calls. */
const UNFILTERED = `const { launchCommand } = await import(process.argv[1]);
  const [level, server, run] = process.argv.slice(2).map((text) => JSON.parse(text));
  const { command, args } = launchCommand(level, server, run, []);
  const { spawnSync } = await import('node:child_process');
  const { status, stderr } = spawnSync(command, args, { cwd: run.path, encoding: 'utf8', timeout: 20_000 });
  console.log(JSON.stringify({ status, stderr }));`;
const USERS: [string, string[]][] = [
  ['the user of the tests', []],
  ...(process.getuid?.() === 0
    ? [['an ordinary user', ['--reuid=61234', '--regid=61234', '--clear-groups', '--']] as [string, string[]]]
    : []),
];

describe.each(BEST_LEVELS)('at the level %s, where no filter of system calls is installed', (sandbox) => {
  it.each(USERS)('a server of %s cannot make a user namespace either', async (_, identity) => {
    const folder = aDataDir();
    if (identity.length > 0) chownSync(folder.path, 61_234, 61_234);
    const run = { path: folder.path, tmp: folder.path, home: folder.path, env: {}, filter: null };
    const launcher = new URL('../../../../dist/src/mcp/processes/sandbox/launch-command.js', import.meta.url);
    const start = async (args: string[]): Promise<{ status: number; stderr: string }> => {
      const cwd = folder.path;
      const server = { ...aServer(folder.path, ''), command: '/usr/bin/env', args, cwd, dataDir: cwd };
      const given = [launcher.href, ...[sandbox, server, run].map((value) => JSON.stringify(value))];
      const node = [process.execPath, '--input-type=module', '-e', UNFILTERED, ...given];
      const [command = '', ...further] = identity.length > 0 ? ['setpriv', ...identity, ...node] : node;
      return JSON.parse((await promisify(execFile)(command, further)).stdout) as never;
    };
    expect(await start(['true'])).toMatchObject({ status: 0 });
    const nested = await start(['unshare', '--user', 'true']);
    expect(nested).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/unshare.*(No space|not permitted)/),
    });
    folder.drop();
  });
});

/** Variables that this process was started with, and that no child gets. */
function ownEnvironment(): string[] {
  const entries = readFileSync('/proc/self/environ', 'utf8').split('\0');
  return entries.filter((entry) => entry.length > 8 && !/^(PATH|HOME|TMPDIR|LANG)=/.test(entry));
}

describe.each(LEVELS)('at every level a server (%s)', (sandbox) => {
  const options = { sandbox, serviceDataDir: data.path, startTimeoutMs: 20_000 };

  it('leaves no core dump, is the first to be killed when memory runs out, and has and gains no privileges', async () => {
    const burglar = await openConnection(aServer(data.path, 'sandbox-attempts.mjs'), options);
    const read = async (path: string): Promise<string> =>
      textOf(await burglar.request('tools/call', { name: 'read-file', arguments: { path } }));
    const limits = await read('/proc/self/limits');
    expect(limits).toMatch(/Max core file size\s+0\s+0/);
    if (sandbox !== 'process-group') expect(limits).toMatch(/Max processes\s+1024\s+1024/);
    expect((await read('/proc/self/oom_score_adj')).trim()).toBe('500');
    expect(await read('/proc/self/status')).toMatch(/CapEff:\t0+\n[^]*NoNewPrivs:\t1/);
    await burglar.close();
  });

  it("cannot open the service's debugger by a signal to its own process group", async () => {
    const given = [options, aServer(data.path, 'sandbox-attempts.mjs')].map((value) => JSON.stringify(value));
    const { stdout } = await promisify(execFile)(process.execPath, [
      hostScript,
      pathToFileURL(built).href,
      ...given,
    ]);
    expect(stdout.trim()).toBe('sent 0');
  });
});

describe('at the weakest level a server', () => {
  it('can read everything that its user can read, which shows that these attempts are real', async () => {
    const burglar = await openConnection(aServer(data.path, 'sandbox-attempts.mjs'), {
      sandbox: 'process-group',
      serviceDataDir: data.path,
      startTimeoutMs: 20_000,
    });
    const attempt = (name: string, path: string): Promise<Record<string, unknown>> =>
      burglar.request('tools/call', { name, arguments: { path } });
    expect(textOf(await attempt('read-file', inData('keyring.json')))).toBe(CANARY);
    expect(textOf(await attempt('arguments', ''))).toContain('jest');
    await burglar.close();
  });
});

describe('the choice of the level', () => {
  it('takes the strongest level that works, or the weakest when the sandbox is off', async () => {
    expect(await probeSandbox('auto')).toBe(STRONGEST);
    expect(await probeSandbox('off')).toBe('process-group');
  });

  const bubblewrap = LEVELS.includes('bubblewrap') ? it : it.skip;
  const asRoot = LEVELS.includes('bubblewrap') && process.getuid?.() === 0 ? it : it.skip;
  asRoot(
    "takes bubblewrap under Docker's masked /proc, in which a server sees no process of the host",
    async () => {
      const folder = aDataDir();
      chownSync(folder.path, 61_234, 61_234);
      const script = `const [probe, open, options, server] = process.argv.slice(1);
      const { probeSandbox, networkWorks } = await import(probe);
      const { openConnection } = await import(open);
      const sandbox = await probeSandbox('require');
      const connection = await openConnection(JSON.parse(server), { ...JSON.parse(options), sandbox });
      const call = (name) => connection.request('tools/call', { name, arguments: { path: '/proc' } });
      console.log(sandbox, await networkWorks(sandbox), JSON.stringify((await call('list-folder')).content));
      await connection.close();`;
      const network = { kind: 'hosts' as const, hosts: [{ host: 'example.test', port: 443 }] };
      const given = [
        { serviceDataDir: folder.path, startTimeoutMs: 20_000 },
        aServer(folder.path, 'sandbox-attempts.mjs', { network }),
      ].map((value) => JSON.stringify(value));
      const modules = [built.replace('connection/open-connection', 'sandbox/sandbox-probe'), built];
      const { stdout } = await promisify(execFile)('unshare', [
        ...[
          '--mount',
          '--pid',
          '--fork',
          'sh',
          maskedProc,
          process.execPath,
          '--input-type=module',
          '-e',
          script,
        ],
        ...modules.map((path) => pathToFileURL(path).href),
        ...given,
      ]);
      folder.drop();
      expect(stdout).toMatch(/^bubblewrap true .*ENOENT/);
    },
  );

  bubblewrap('falls back where the host forbids namespaces, but not where one is required', async () => {
    const script = `import(process.argv[1]).then(async ({ probeSandbox }) => {
      console.log(await probeSandbox('auto'), await probeSandbox('require').catch(({ message }) => message));
    })`;
    const forbidding = [
      '--unshare-user',
      '--disable-userns',
      '--dev-bind',
      '/',
      '/',
      process.execPath,
      '-e',
      script,
    ];
    const { stdout } = await promisify(execFile)('bwrap', [
      ...forbidding,
      built.replace('connection/open-connection', 'sandbox/sandbox-probe'),
    ]);
    expect(stdout).toMatch(/^process-group MCP_SANDBOX=require, but this host/);
  });
});
