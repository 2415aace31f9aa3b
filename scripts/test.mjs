// `npm test`, `npm run test:full`: jest on the built service. Arguments go to jest; `--full` sets TEST_SIZE=full.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { run } from './run.mjs';

const args = process.argv.slice(2);
const full = args.includes('--full') || process.env.TEST_SIZE === 'full';
const folder = mkdtempSync(join(tmpdir(), 'awp-results-'));
const results = join(folder, 'results.json');

await ensureInstalled();
await ensureBuilt();
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

/** A file that could not even be loaded counts as a failure, so that '0 failed' means what it says. */
function summary() {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(results, 'utf8'),
    );
    return `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
  } catch {
    return 'No result: the tests did not run to their end';
  }
}
