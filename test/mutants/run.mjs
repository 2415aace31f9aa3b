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
import { execFile } from 'node:child_process';
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
    return await isRed(checkout);
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
async function isRed(checkout) {
  const results = join(checkout, 'results.json');
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const choice = ['--selectProjects', 'api', '--testPathPatterns', MODEL_TEST];
  const report = ['--json', `--outputFile=${results}`];
  const jest = [...node, 'node_modules/jest/bin/jest.js', ...choice, ...report];
  const output = await outputOf(jest, checkout);
  if (!existsSync(results)) throw new Error(`The model test could not be started:\n${output}`);
  const told = JSON.parse(readFileSync(results, 'utf8')).testResults.flatMap((file) => file.assertionResults);
  if (told.length !== 1) throw new Error(`The model test did not run:\n${output}`);
  if (told[0].status === 'failed') console.log(walkIn(told[0].failureMessages.join('\n')));
  return told[0].status === 'failed';
}

function outputOf(args, cwd) {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, maxBuffer: Infinity }, (_, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}

/** The shortest walk to the fault, as the test tells it. */
function walkIn(message) {
  return /The walk:\n((?:\s*\{.*\}\n)*)/.exec(message)?.[1] ?? message.slice(0, 2_000);
}
