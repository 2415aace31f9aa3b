// `npm run test:mutants`: the model test must turn red on each mutant of the built service, and is green without one.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/ensure-ready.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { mutants } from './mutants.mjs';

const MODEL_TEST = 'api/work/issues/model';

await ensureBuilt();
const wrong = [];
for (const mutant of [null, ...mutants]) {
  const red = await modelTestIsRed(mutant);
  const asWanted = red === (mutant !== null);
  console.log(
    `${asWanted ? 'ok  ' : 'WRONG'} ${red ? 'red  ' : 'green'} ${mutant?.name ?? 'the service as it is'}`,
  );
  if (!asWanted) wrong.push(mutant?.name ?? 'the service as it is');
}
process.exitCode = wrong.length === 0 ? 0 : 1;

/** Runs the test in a copy of the checkout's built code and tests. */
async function modelTestIsRed(mutant) {
  const checkout = mkdtempSync(join(tmpdir(), 'awp-mutant-'));
  try {
    for (const part of ['dist', 'test', 'docs', 'package.json', 'jest.config.mjs'])
      cpSync(inRoot(part), join(checkout, part), { recursive: true });
    // Jest insists on the root of the unit tests, which are not run here.
    mkdirSync(join(checkout, 'src'));
    symlinkSync(inRoot('node_modules'), join(checkout, 'node_modules'));
    for (const change of [mutant, mutant?.also])
      if (change) apply(join(checkout, 'dist/src', change.file), change.changes);
    return await run(checkout);
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

function apply(file, changes) {
  let text = readFileSync(file, 'utf8');
  for (const [before, after] of changes) {
    if (text.split(before).length !== 2)
      throw new Error(`The mutant is out of date: ${file} must hold this once: ${before}`);
    text = text.replace(before, () => after);
  }
  writeFileSync(file, text);
}

/** Red is only what the test itself says: a run that could not begin is a fault of its own. */
async function run(checkout) {
  const results = join(checkout, 'results.json');
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const child = spawn(
    process.execPath,
    [
      ...jest,
      '--selectProjects',
      'api',
      '--json',
      `--outputFile=${results}`,
      '--testPathPatterns',
      MODEL_TEST,
    ],
    {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  await new Promise((done) => child.once('close', done));
  if (!existsSync(results)) throw new Error(`The model test could not be started:\n${output}`);
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8'));
  if (numPassedTests + numFailedTests !== 1) throw new Error(`The model test did not run:\n${output}`);
  if (numFailedTests === 1) console.log(counterexampleIn(output));
  return numFailedTests === 1;
}

/** The shortest walk to the fault, as fast-check tells it. */
function counterexampleIn(output) {
  return /^.*Counterexample: .*$/m.exec(output)?.[0].trim() ?? output.slice(0, 2_000);
}
