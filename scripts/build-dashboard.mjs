// Installs what the dashboard's build needs, builds it, and compresses the result. `npm start` runs it in the
// background where dashboard/dist is missing or was made from other sources; tests and the image run it first.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { CommandFailed, mustRun } from './run.mjs';

const sources = ['dashboard', 'client/schema.d.ts'];
const notSources = /^dashboard\/(node_modules|dist|\.dist-[^/]*|\.tanstack)(\/|$)/;
const stamp = inRoot('dashboard/dist/.made-from');
const lockStamp = inRoot('dashboard/node_modules/.made-from');
const compressible = new Set(['.js', '.css', '.svg', '.html']);

/** Whether dashboard/dist was made from the sources as they are now. */
export function isDashboardBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(sources);
}

export async function buildDashboard() {
  await alone(async () => {
    if (isDashboardBuilt()) return;
    await install();
    await build();
  });
}

async function install() {
  const lock = hashOf(['dashboard/package-lock.json']);
  if (existsSync(lockStamp) && readFileSync(lockStamp, 'utf8') === lock) return;
  const args = ['ci', '--prefix', 'dashboard', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const npm = process.env.npm_execpath;
  await (npm?.endsWith('npm-cli.js') ? mustRun(process.execPath, [npm, ...args]) : mustRun('npm', args));
  writeFileSync(lockStamp, lock);
}

/** Builds aside and puts the result in place when it is whole, so that the service never serves half a build. */
async function build() {
  const hash = hashOf(sources);
  const draft = mkdtempSync(inRoot('dashboard/.dist-'));
  const vite = inRoot('dashboard/node_modules/vite/bin/vite.js');
  try {
    await mustRun(process.execPath, [
      vite,
      'build',
      'dashboard',
      '--outDir',
      draft,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ]);
    for (const file of readdirSync(draft, { recursive: true, withFileTypes: true }))
      if (file.isFile() && compressible.has(extname(file.name))) compress(join(file.parentPath, file.name));
    writeFileSync(join(draft, '.made-from'), hash);
    rmSync(inRoot('dashboard/dist'), { recursive: true, force: true });
    renameSync(draft, inRoot('dashboard/dist'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function compress(file) {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf))
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

function filesOf(path) {
  try {
    return readdirSync(inRoot(path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !notSources.test(file))
      .sort();
  } catch (error) {
    return error.code === 'ENOTDIR' ? [path] : [];
  }
}

if (import.meta.filename === process.argv[1]) {
  try {
    await buildDashboard();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    console.error('The dashboard could not be built; the API works without it. The lines above say why.');
    process.exitCode = error.code;
  }
}
