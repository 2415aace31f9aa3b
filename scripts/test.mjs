// Runs Jest on the built service: `npm test` all but the slow files and the drills, `npm run test:slow` and
// `npm run test:drills` these, `npm run test:full` all at full size (`--full` sets TEST_SIZE=full). `--with-slow-part` adds
// the slow files of the day, or of the part that follows as a number, to those of `npm test`, and those that the change
// edits (slow-part.mjs): one run warms its workers and hosts once, and only one of them waits for the last file.
// `--second-try` runs a few failed files once more, alone, and names those that passed only then: each is a
// bug to fix, in the test or in the service, but a busy machine does not refuse a change.
// `--processes` divides each service among three processes for requests and one for the rest (contract §9.5), and runs what agents
// call, who may do what, and races.
// Other arguments go to Jest, which then finds every file.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from './build-dashboard.mjs';
import { buildRunner } from './build-runner.mjs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { run } from './run.mjs';
import { slowFilesOfChange } from './slow-part.mjs';

const args = process.argv.slice(2);
const full = args.includes('--full') || process.env.TEST_SIZE === 'full';
const alsoSlow = takeSlowPart();
const divided = args.includes('--processes');
const OWN = ['--full', '--slow', '--drills', '--processes', '--second-try'];
const others = args.filter((arg) => !OWN.includes(arg));
/** One at a time: each service is five processes, and a few files together start more of them than become ready in time. */
const OF_PROCESSES = ['test/api/(gateway|mcp|platform/access)/', String.raw`\.concurrency\.`];
const forJest =
  divided && others.length === 0
    ? ['--maxWorkers=1', '--selectProjects', 'api', '--', ...OF_PROCESSES]
    : others;
/** Which files jest.config.mjs offers. */
const offered = args.includes('--slow')
  ? 'slow'
  : args.includes('--drills')
    ? 'drills'
    : divided
      ? 'without-drills'
      : alsoSlow === null && (full || forJest.length > 0)
        ? 'all'
        : 'quick';
/** More failed files than this are not chance. */
const MOST_SECOND_TRIES = 5;
const folder = mkdtempSync(join(tmpdir(), 'awp-results-'));
const results = join(folder, 'results.json');

await ensureInstalled();
await ensureBuilt();
// The browser tests open the dashboard as the service serves it.
await buildDashboard();
await buildRunner();
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  // A test that failed may leave a process which holds an output of its worker open, and Jest would wait for it.
  '--forceExit',
];
const runJest = (options) =>
  run(process.execPath, [...jest, '--json', `--outputFile=${results}`, ...options], {
    env: {
      TEST_SIZE: full ? 'full' : 'normal',
      TEST_FILES: offered,
      ...(divided && { TEST_THROUGH: 'processes' }),
      ...(alsoSlow && { TEST_ALSO_SLOW: alsoSlow.join(',') }),
    },
  });

let code = await runJest(forJest);
console.log(summary());
const failed = code !== 0 && args.includes('--second-try') ? failedFiles() : [];
if (failed.length > 0 && failed.length <= MOST_SECOND_TRIES) {
  console.log(`Run again, alone:\n${failed.join('\n')}`);
  code = await runJest(['--runInBand', '--runTestsByPath', ...failed]);
  console.log(`The second try of ${failed.length} files: ${summary()}`);
  if (code === 0) console.log(`PASSED ONLY ALONE, so to be fixed:\n${failed.join('\n')}`);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;

/** Takes `--with-slow-part` and its number out of the arguments. Returns the names of the slow files to add, or null. */
function takeSlowPart() {
  const at = args.indexOf('--with-slow-part');
  if (at === -1) return null;
  const given = /^\d+$/.test(args[at + 1] ?? '') ? Number(args[at + 1]) : undefined;
  args.splice(at, given === undefined ? 1 : 2);
  return slowFilesOfChange(given);
}

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return null;
  }
}

/** Counts a file that could not be loaded as a failure, so that '0 failed' is reliable. */
function summary() {
  const outcome = readResults();
  if (!outcome) return 'No result: the test run did not finish';
  return `${outcome.numPassedTests} passed, ${outcome.numFailedTests + outcome.numRuntimeErrorTestSuites} failed`;
}

function failedFiles() {
  const files = readResults()?.testResults ?? [];
  return files.filter(({ status }) => status === 'failed').map(({ name }) => name);
}
