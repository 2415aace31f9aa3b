// Which slow test files CI runs together with those of `npm test` (decision 0065): the part of the day, and those that the change
// edits.
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

/**
 * Returns the slow files to run, and prints which part they are.
 *
 * @throws {Error} when no part has this number.
 */
export function slowFilesOfChange(part = partOf(new Date()), folder = root) {
  const parts = slowParts();
  if (!parts[part - 1]) throw new Error(`--with-slow-part takes a number from 1 to ${parts.length}.`);
  const edited = editedSlowFiles(folder).filter((name) => !parts[part - 1].includes(name));
  console.log(`Slow part ${part} of ${parts.length}; \`npm run test:slow\` runs all.`);
  if (edited.length > 0) console.log(`Slow files that the change edits: ${edited.join(', ')}.`);
  return [...parts[part - 1], ...edited];
}

/** Returns the slow files that differ from the commit before the change; none where Git does not know that commit. */
export function editedSlowFiles(folder = root) {
  const base = commitBefore(folder);
  if (base === null) return [];
  const edited = new Set(git(folder, 'diff', '--name-only', '--relative', base)?.split('\n'));
  return Object.keys(SLOW).filter((name) => edited.has(fileOf(name)));
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
