// `npm run release -- [FOLDER]` makes all that a release publishes, in FOLDER (by default release/), and publishes nothing, so anyone
// can run it: the packages, a list of what they need (CycloneDX), checksums, the changes of the version, and what the API no longer
// does for clients of the last release. CI runs it and publishes (.github/workflows/release.yml).
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build, common } from './build/bundle.mjs';
import { versionOf } from './node-version.mjs';
import { inRoot } from './paths.mjs';
import { CommandFailed, mustRun } from './run.mjs';

const EXIT_CONFIG = 78;

process.exitCode = await main(process.argv[2] ?? inRoot('release'));

async function main(folder) {
  const version = versionOf();
  const notes = sectionOf(version);
  if (notes === null) {
    console.error(
      `CHANGELOG.md has no section [${version}], the version of package.json. Write it, or run npm run new-version.`,
    );
    return EXIT_CONFIG;
  }
  if (sectionOf('Unreleased') !== '')
    console.error('Warning: CHANGELOG.md has changes under [Unreleased], which belong to a later version.');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await mustRun(process.execPath, [inRoot('scripts/package.mjs'), folder]);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return error.code;
  }
  writeFileSync(join(folder, `agent-work-platform-${version}.cdx.json`), neededPackages());
  writeFileSync(join(folder, 'CHANGES.md'), `${notes}\n`);
  writeFileSync(join(folder, 'BREAKING.txt'), (await breakingLines()).map((line) => `${line}\n`).join(''));
  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder));
  console.log(`Version ${version} is complete in ${folder}: ${readdirSync(folder).join(', ')}.`);
  console.log(
    readFileSync(join(folder, 'BREAKING.txt'), 'utf8') || 'The API breaks nothing of the last release.',
  );
  return 0;
}

/** The text of a section of CHANGELOG.md (Keep a Changelog), without its heading; null where there is none. */
function sectionOf(name) {
  const sections = readFileSync(inRoot('CHANGELOG.md'), 'utf8').split(/^## /m);
  const found = sections.find((section) => section.startsWith(`[${name}]`));
  return found ? found.slice(found.indexOf('\n')).trim() : null;
}

/** The service's packages, with versions and checksums. The runner has none, and the client leaves its one to its user. */
function neededPackages() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  return execFileSync('npm', args, {
    cwd: inRoot('.tmp/packages/agent-work-platform'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** What the document of the last release promised and the present one does not keep, by the rules of the test. */
async function breakingLines() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [inRoot('test/support/breaking-changes.ts')],
    write: false,
  });
  const module = `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`;
  const { breakingChanges, LOOKED_AT } = await import(module);
  const document = (file) => JSON.parse(readFileSync(inRoot('docs', file), 'utf8'));
  const broken = breakingChanges(document('openapi.released.json'), document('openapi.json'));
  return broken.filter((one) => !LOOKED_AT.includes(one));
}

/** In the form that `sha256sum --check` reads. */
function sumsOf(folder) {
  const hash = (file) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
  return readdirSync(folder)
    .toSorted()
    .map((file) => `${hash(file)}  ${file}\n`)
    .join('');
}
