import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.js';

const project = join(import.meta.dirname, '..', '..', '..');
let checkout: string;

/** Only root can start a process as another user. */
const asRoot = process.geteuid?.() === 0 ? it : it.skip;
const NOBODY = 65_534;

beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'awp-checkout-'));
  await cp(join(project, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json']) {
    await cp(join(project, file), join(checkout, file));
  }
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

describe('the packages of a checkout', () => {
  it.each([
    ['are missing without the list that npm writes last', null, false],
    [
      'are complete when the list has all of them except those of other platforms',
      { version: '1.0.0', integrity: 'a' },
      true,
    ],
    ['are stale in another version', { version: '0.9.0', integrity: 'a' }, false],
    ['are stale with other contents', { version: '1.0.0', integrity: 'b' }, false],
  ])('%s', async (_, found, expected) => {
    const packages = (one: object) => JSON.stringify({ packages: { 'node_modules/one': one } });
    const wanted = { '': {}, 'node_modules/one': { version: '1.0.0', integrity: 'a' } };
    const foreign = { 'node_modules/foreign': { version: '2.0.0', optional: true } };
    await writeFile(
      join(checkout, 'package-lock.json'),
      JSON.stringify({ packages: { ...wanted, ...foreign } }),
    );
    await mkdir(join(checkout, 'node_modules'), { recursive: true });
    if (found) await writeFile(join(checkout, 'node_modules', '.package-lock.json'), packages(found));
    expect(await said("import('./scripts/install.mjs').then((m) => console.log(m.isInstalled()))")).toBe(
      `${expected}`,
    );
    await rm(join(checkout, 'node_modules'), { recursive: true });
  });
});

it('Node versions are held against the engines of package.json', async () => {
  const range = '^20.19 || ^22.13 || >=24.11';
  const versions = ['20.18.3', '20.19.0', '21.9.0', '22.13.1', '23.9.0', '24.10.0', '24.11.0', '26.0.0'];
  const answers = await said(
    `import('./scripts/node-version.mjs').then((m) => console.log(${JSON.stringify(versions)}.filter((v) => m.satisfies(v, '${range}')).join(' ')))`,
  );
  expect(answers).toBe('20.19.0 22.13.1 24.11.0 26.0.0');
});

it('a version of Node that is not supported ends the start with 78, and says which are', async () => {
  const file = join(checkout, 'package.json');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/"node": ".*"/, '"node": "^18.1 || >=99.9"'));
  expect(await ensureBuilt({ call: 'ensureInstalled()' })).toEqual({
    code: 78,
    text: `Node ^18.1 || >=99.9 is needed, this is ${process.versions.node}. Install one of these versions: https://nodejs.org/en/download\n`,
  });
  await writeFile(file, text);
});

describe('the build of a checkout', () => {
  const source = (name: string, text: string) => writeFile(join(checkout, 'src', name), text);
  const built = (name: string) => readFile(join(checkout, 'dist', 'src', name), 'utf8');

  beforeAll(async () => {
    await symlink(join(project, 'node_modules'), join(checkout, 'node_modules'));
    await mkdir(join(checkout, 'src'));
    await source('main.ts', "export const word: string = 'first';\n");
    await source('gone.ts', 'export const word = 1;\n');
    // The build makes one file of the application, and leaves outside what the start loads before it.
    await source('app.run.ts', "import { word } from './main.js';\nexport const early = word;\n");
    await source('app.start.ts', "import { word } from './main.js';\nexport const late = word;\n");
  });

  asRoot('is asked of the owner of the folder, when the user may not write there', async () => {
    await chmod(checkout, 0o755);
    const { code, text } = await ensureBuilt({ uid: NOBODY });
    expect(code).toBe(78);
    expect(text).toMatch(
      /^The service is not built in .*awp-checkout-\w+, and uid 65534 cannot write there\. Run `npm run setup` in it once as its owner\.\n$/,
    );
  });

  it('is made once when two commands start at once, and not again while the sources stay the same', async () => {
    const outputs = await Promise.all([ensureBuilt(), ensureBuilt()]);
    expect(outputs.map((output) => output.code)).toEqual([0, 0]);
    expect(outputs.filter((output) => output.text.includes('Building:'))).toHaveLength(1);
    const { mtimeMs } = await stat(join(checkout, 'dist', 'src', 'main.js'));
    expect(await ensureBuilt()).toEqual({ code: 0, text: '' });
    expect((await stat(join(checkout, 'dist', 'src', 'main.js'))).mtimeMs).toBe(mtimeMs);
  });

  it('keeps its last result when the sources do not compile or the build is killed', async () => {
    await source('main.ts', "export const word: number = 'broken';\n");
    expect(await ensureBuilt()).toMatchObject({ code: 1, text: expect.stringContaining('TS2322') });
    const child = spawnEnsureBuilt();
    await until(async () => (await readdir(checkout)).some((name) => name.startsWith('.dist-')));
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await built('main.js')).toContain('first');
  });

  asRoot('is used as it is by another user than the owner of the folder', async () => {
    expect(await ensureBuilt({ uid: NOBODY })).toEqual({ code: 0, text: '' });
  });

  it('follows the sources, including removed files, and leaves nothing beside its result', async () => {
    await source('main.ts', "export const word: string = 'second';\n");
    await rm(join(checkout, 'src', 'gone.ts'));
    expect(await ensureBuilt()).toMatchObject({ code: 0 });
    expect(await built('main.js')).toContain('second');
    const modules = ['app.run', 'app.start', 'main'];
    expect(await readdir(join(checkout, 'dist', 'src'))).toEqual(
      modules.flatMap((name) => [`${name}.js`, `${name}.js.map`]),
    );
    expect((await readdir(checkout)).filter((name) => name.startsWith('.dist-'))).toEqual([]);
  });

  it('is used at once while another process installs or builds something else', async () => {
    const program =
      "import('./scripts/alone.mjs').then((m) => m.alone(() => new Promise(() => console.log('held') || setInterval(() => 0, 1000))))";
    const holder = spawn(process.execPath, ['-e', program], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    try {
      expect(await ensureBuilt()).toEqual({ code: 0, text: '' });
    } finally {
      holder.kill('SIGKILL');
    }
  });
});

function spawnEnsureBuilt({ call = 'ensureBuilt()', uid = process.geteuid!() } = {}) {
  const program = `import('./scripts/ensure-ready.mjs').then((m) => m.${call})`;
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  return spawn(process.execPath, ['-e', program], { cwd: checkout, uid, stdio });
}

async function ensureBuilt(
  how: Parameters<typeof spawnEnsureBuilt>[0] = {},
): Promise<{ code: number; text: string }> {
  const child = spawnEnsureBuilt(how);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

async function said(program: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return text.trim();
}
