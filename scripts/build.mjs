import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './build/bundle.mjs';
import { compile } from './build/compile.mjs';
import { copyAssets } from './build/copy-assets.mjs';
import { inRoot, root } from './paths.mjs';

const sources = [
  'src',
  'migrations',
  'scripts/build',
  'docs/openapi.json',
  'tsconfig.json',
  'package-lock.json',
];
const stampName = '.made-from';
const draftPrefix = '.dist-';

/** Whether dist was made from the present sources. Compares contents, because git does not keep modification times. */
export function isBuilt() {
  try {
    return readFileSync(inRoot('dist', stampName), 'utf8') === hashOfSources();
  } catch {
    return false;
  }
}

/**
 * Builds into a draft folder and puts the result in place when it is complete. It always starts from nothing: an
 * incremental build leaves the output of deleted files, and a deleted migration would still run. The draft lies beside
 * dist because source maps are relative.
 */
export async function build() {
  const hash = hashOfSources();
  removeDrafts();
  const draft = mkdtempSync(inRoot(draftPrefix));
  try {
    await compile(draft);
    copyAssets(draft);
    await bundle(draft);
    writeFileSync(join(draft, stampName), hash);
    // mkdtemp makes folders that only their owner can enter, but the service may run as another user.
    chmodSync(draft, 0o755);
    putInPlace(draft);
  } finally {
    removeDrafts();
  }
}

function putInPlace(draft) {
  try {
    renameSync(inRoot('dist'), `${draft}-old`);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(draft, inRoot('dist'));
}

function removeDrafts() {
  const drafts = readdirSync(root).filter((name) => name.startsWith(draftPrefix));
  for (const name of drafts) rmSync(inRoot(name), { recursive: true, force: true });
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesOf(source))
      hash
        .update(`${file}\0`)
        .update(readFileSync(inRoot(file)))
        .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path) {
  try {
    const entries = readdirSync(inRoot(path), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'));
    return files.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort();
  } catch (error) {
    return error.code === 'ENOTDIR' ? [path] : [];
  }
}
