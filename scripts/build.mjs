import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inRoot, root } from './paths.mjs';
import { mustRun } from './run.mjs';

const sources = ['src', 'migrations', 'tsconfig.json', 'nest-cli.json', 'package-lock.json'];
const stampName = '.made-from';
const draftPrefix = '.dist-';

/** Whether dist was made from the sources as they are now: by their contents, since git keeps no times. */
export function isBuilt() {
  try {
    return readFileSync(inRoot('dist', stampName), 'utf8') === hashOfSources();
  } catch {
    return false;
  }
}

/**
 * Builds aside and puts the result in place when it is whole. Always from nothing: what an incremental build
 * leaves of deleted files (a migration!) would still be found. Beside dist, at its depth: source maps are relative.
 */
export async function build() {
  const hash = hashOfSources();
  removeDrafts();
  const draft = mkdtempSync(inRoot(draftPrefix));
  try {
    const configurations = writeConfigurations(draft);
    const nest = inRoot('node_modules/@nestjs/cli/bin/nest.js');
    await mustRun(process.execPath, [
      nest,
      'build',
      '--config',
      configurations.nest,
      '--path',
      configurations.tsc,
    ]);
    rmSync(configurations.nest);
    rmSync(configurations.tsc);
    writeFileSync(join(draft, stampName), hash);
    putInPlace(draft);
  } finally {
    removeDrafts();
  }
}

/** The project's own configurations with another place for what they make; assets follow the compiler's. */
function writeConfigurations(draft) {
  const folder = relative(root, draft);
  const tsc = join(folder, 'tsconfig.json');
  const compilerOptions = { outDir: draft, incremental: false, tsBuildInfoFile: null };
  writeFileSync(inRoot(tsc), JSON.stringify({ extends: inRoot('tsconfig.json'), compilerOptions }));
  const nest = join(folder, 'nest-cli.json');
  const project = JSON.parse(readFileSync(inRoot('nest-cli.json'), 'utf8'));
  project.compilerOptions.assets = project.compilerOptions.assets.map((asset) => asset.include ?? asset);
  writeFileSync(inRoot(nest), JSON.stringify(project));
  return { nest, tsc };
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
