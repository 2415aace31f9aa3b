// Which slow test files CI runs together with those of `npm test` (decision 0065): the part of the day, and those of what the
// change edits.
import { execFileSync } from 'node:child_process';
import { fileOf, SLOW, slowParts } from '../test/support/slow-files.mjs';
import { root } from './paths.mjs';

const DAY_MS = 86_400_000;

/**
 * Returns the part of a day of UTC. Days are counted from 1970 and not within the year, so that one part follows another at the
 * turn of the year too.
 */
export function partOf(date) {
  return (Math.floor(date.getTime() / DAY_MS) % slowParts().length) + 1;
}

/** The seconds of slow files that a change of modules may add to the part of the day, so that CI stays within its time. */
const MOST_SECONDS = 120;

/**
 * Returns the slow files to run, and prints which part they are.
 *
 * @throws {Error} when no part has this number.
 */
export function slowFilesOfChange(part = partOf(new Date()), folder = root) {
  const parts = slowParts();
  const names = parts[part - 1];
  if (!names) throw new Error(`--with-slow-part takes a number from 1 to ${parts.length}.`);
  const more = slowFilesOfDiff(changedFiles(folder)).filter((name) => !names.includes(name));
  console.log(`Slow part ${part} of ${parts.length}; \`npm run test:slow\` runs all.`);
  if (more.length > 0) console.log(`Slow files of what the change edits: ${more.join(', ')}.`);
  return [...names, ...more];
}

/**
 * Returns the slow files among the changed files, and those of changed modules, the short ones first, until they take two minutes. The
 * name of a file begins with that of its module: `mcp/oauth-refresh` is one of `src/mcp/oauth`.
 */
export function slowFilesOfDiff(changed) {
  const edited = Object.keys(SLOW).filter((name) => changed.includes(fileOf(name)));
  const modules = [...new Set(changed.flatMap((file) => /^src\/([^/]+\/[^/]+)\//.exec(file)?.[1] ?? []))];
  const ofModules = Object.entries(SLOW)
    .filter(([name]) => !edited.includes(name) && modules.some((module) => name.startsWith(module)))
    .toSorted(([, one], [, other]) => one - other);
  let seconds = 0;
  return [
    ...edited,
    ...ofModules.filter(([, own]) => (seconds += own) <= MOST_SECONDS).map(([name]) => name),
  ];
}

/** Returns the files that differ from the commit before the change; none where Git does not know that commit. */
export function changedFiles(folder = root) {
  const base = commitBefore(folder);
  return base === null ? [] : (git(folder, 'diff', '--name-only', '--relative', base)?.split('\n') ?? []);
}

/**
 * Returns the commit at which this branch left the default branch of origin. On the default branch itself that is the
 * present commit, so the change is the last one.
 */
function commitBefore(folder) {
  const base =
    git(folder, 'merge-base', 'HEAD', 'origin/HEAD') ?? git(folder, 'merge-base', 'HEAD', 'origin/main');
  const head = git(folder, 'rev-parse', 'HEAD');
  return base !== null && base !== head ? base : git(folder, 'rev-parse', '--verify', 'HEAD~1');
}

/** Returns null where Git fails: without Git, outside a clone, in one without that commit. */
function git(folder, ...args) {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
