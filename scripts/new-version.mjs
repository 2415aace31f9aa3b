// `npm run new-version` gives the present migrations a version of their own: the next minor one (decision 0061). It adds a row
// to migrations/versions.json, raises the version wherever it stands, and gives CHANGELOG.md a section of that version.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { inc } from 'semver';
import { inRoot, root } from './paths.mjs';

const VERSIONS = 'migrations/versions.json';
/** Each place of the version outside of versions.json and CHANGELOG.md. */
const PLACES = [
  ['package.json', /(?<=^ {2}"version": ")[^"]+/m],
  // The root, and the package of the root.
  ['package-lock.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['package-lock.json', /(?<="": \{\s+"name": "agent-work-platform",\s+"version": ")[^"]+/],
  ['src/platform/config/settings.ts', /(?<=export const VERSION = ')[^']+/],
  ['deploy/helm/agent-work-platform/Chart.yaml', /(?<=^version: )\S+/m],
  ['deploy/helm/agent-work-platform/Chart.yaml', /(?<=^appVersion: ')[^']+/m],
];

function main() {
  const rows = JSON.parse(read(VERSIONS));
  const last = rows.at(-1);
  const newest = migrations().at(-1);
  if (newest === last.lastMigration) {
    console.error(`Version ${last.version} has every migration. Add the migration first.`);
    return 64;
  }
  const version = inc(last.version, 'minor');
  const date = new Date().toISOString().slice(0, 10);
  const released = rows.map((row) => (row === last ? withCommit(row) : row));
  const alsoRun = released
    .slice(-2)
    .map((row) => row.version)
    .toReversed();
  write(VERSIONS, json([...released, { version, date, lastMigration: newest, alsoRun }]));
  for (const [file, place] of PLACES) replace(file, place, version);
  replace('CHANGELOG.md', /(?<=^## \[Unreleased\]\n)/m, `\n## [${version}] - ${date}\n`);
  console.log(`${version} has the migrations up to ${newest}. Add its row to the table of docs/operations.md, "Which version
runs on which schema", run npm run openapi, and npm run test:drills -- platform/going-back.`);
  return 0;
}

/** Returns the names of all migrations, the newest one last. */
function migrations() {
  const names = readdirSync(inRoot('migrations'));
  return names.flatMap((name) => /^(\d+-.+)\.ts$/.exec(name)?.[1] ?? []).toSorted();
}

/** The last commit of a version is the one before its successor's first migration. */
function withCommit(row) {
  const added = migrations().filter((name) => name > row.lastMigration);
  const first = git(
    'log',
    '--diff-filter=A',
    '--format=%h',
    '--',
    ...added.map((name) => `migrations/${name}.ts`),
  )
    .split('\n')
    .at(-1);
  return { ...row, commit: git('rev-parse', '--short=8', first ? `${first}^` : 'HEAD') };
}

function git(...parameters) {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).trim();
}

function replace(file, place, text) {
  const before = read(file);
  if (!place.test(before)) throw new Error(`${file} has no ${place}`);
  write(file, before.replace(place, text));
}

/** As the formatter writes it: the list of versions on one line. */
const json = (rows) =>
  `${JSON.stringify(rows, null, 2).replaceAll(/\[\s+((?:"[\d.]+",?\s+)+)\]/g, (_, list) => `[${list.trim().replaceAll(/\s+/g, ' ')}]`)}\n`;

function read(file) {
  return readFileSync(inRoot(file), 'utf8');
}

function write(file, text) {
  writeFileSync(inRoot(file), text);
}

process.exitCode = main();
