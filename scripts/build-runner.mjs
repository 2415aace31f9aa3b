// Installs what the runner needs and compiles it. `npm run runner` and the tests run it first; `npm start` does not.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { CommandFailed, mustRun } from './run.mjs';

const sources = ['runner/src', 'client'];
const settings = [
  'runner/package-lock.json',
  'runner/tsconfig.json',
  'runner/tsconfig.build.json',
  'scripts/build-runner.mjs',
];
const stamp = inRoot('runner/dist/.made-from');
const lockStamp = inRoot('runner/node_modules/.made-from');

export async function buildRunner() {
  await alone(async () => {
    await install();
    await build();
  });
}

async function install() {
  const lock = hashOf(['runner/package-lock.json']);
  if (existsSync(lockStamp) && readFileSync(lockStamp, 'utf8') === lock) return;
  const args = ['ci', '--prefix', 'runner', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const npm = process.env.npm_execpath;
  await (npm?.endsWith('npm-cli.js') ? mustRun(process.execPath, [npm, ...args]) : mustRun('npm', args));
  writeFileSync(lockStamp, lock);
}

/** Compiles with the compiler of the root, and checks the types while it does. */
async function build() {
  const hash = hashOf([...settings, ...sources.flatMap(filesOf)]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(inRoot('runner/dist'), { recursive: true, force: true });
  const compiler = inRoot('node_modules/typescript7/bin/tsc');
  await mustRun(process.execPath, [
    compiler,
    '--project',
    inRoot('runner/tsconfig.build.json'),
    '--noEmitOnError',
  ]);
  chmodSync(inRoot('runner/dist/main.js'), 0o755);
  writeFileSync(stamp, hash);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

function filesOf(folder) {
  return readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

if (import.meta.filename === process.argv[1]) {
  try {
    await buildRunner();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    process.exitCode = error.code;
  }
}
