// `npm test` and `npm run test:full` run Jest on the built service. `--full` sets TEST_SIZE=full; other arguments go to Jest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from './build-dashboard.mjs';
import { buildRunner } from './build-runner.mjs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { run } from './run.mjs';

const args = process.argv.slice(2);
const full = args.includes('--full') || process.env.TEST_SIZE === 'full';
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
];
const report = ['--json', `--outputFile=${results}`];
const code = await run(process.execPath, [...jest, ...report, ...args.filter((arg) => arg !== '--full')], {
  env: { TEST_SIZE: full ? 'full' : 'normal' },
});
console.log(summary());
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;

/** Counts a file that could not be loaded as a failure, so that '0 failed' is reliable. */
function summary() {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(results, 'utf8'),
    );
    return `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
  } catch {
    return 'No result: the test run did not finish';
  }
}
