// `npm run test:mutants`: each test must fail on every mutant that was made for it, and pass on the unchanged service.
// Arguments choose tests, and words choose their mutants: `npm run test:mutants -- access`, `npm run test:mutants -- leases halt`.
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
import { build } from 'esbuild';
import { ensureBuilt } from '../../scripts/ensure-ready.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { atFullSize, mutants, tests } from './mutants.mjs';

const given = process.argv.slice(2);
const chosen = given.filter((name) => name in tests);
const words = given.filter((word) => !(word in tests));

await ensureBuilt();
const wrong = [];
let judged = 0;
for (const [name, test] of Object.entries(tests))
  if (chosen.length === 0 || chosen.includes(name))
    for (const mutant of mutantsOf(name)) await judge(test, mutant);
process.exitCode = judged > 0 && wrong.length === 0 ? 0 : 1;

function mutantsOf(name) {
  const all = mutants.filter((one) => one.test === name);
  return words.length === 0
    ? [null, ...all]
    : all.filter((one) => words.some((word) => one.name.includes(word)));
}

async function judge(test, mutant) {
  judged += 1;
  const red = await testIsRed(test, mutant);
  const asExpected = red === (mutant !== null);
  const what = mutant?.name ?? 'the service as it is';
  console.log(`${asExpected ? 'ok  ' : 'WRONG'} ${red ? 'red  ' : 'green'} ${what}`);
  if (!asExpected) wrong.push(what);
}

/** Runs the test in a copy of the checkout's built code and tests. */
async function testIsRed(test, mutant) {
  const checkout = mkdtempSync(join(tmpdir(), 'awp-mutant-'));
  try {
    for (const part of ['dist', 'test', 'docs', 'package.json', 'jest.config.mjs'])
      cpSync(inRoot(part), join(checkout, part), { recursive: true });
    // Jest requires the root folders of the unit tests, although none runs here.
    for (const root of ['src', 'runner/test']) mkdirSync(join(checkout, root), { recursive: true });
    symlinkSync(inRoot('node_modules'), join(checkout, 'node_modules'));
    await unbundle(checkout);
    for (const change of [mutant, mutant?.also])
      if (change) apply(join(checkout, 'dist/src', change.file), change.changes);
    return await isRed(test, checkout, mutant === null ? '300' : '1000');
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

/** Lets the service import its modules one by one: the bundle holds the unchanged ones. */
async function unbundle(checkout) {
  const outfile = join(checkout, 'dist/src/app.start.js');
  await build({ entryPoints: [inRoot('src/app.start.ts')], outfile, allowOverwrite: true, format: 'esm' });
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

/**
 * Returns whether an assertion of the test failed. A run that could not begin is an error, not a failed test.
 * @param walks of the model: a rare mutant is met by fewer than one walk in a hundred, and a walk that meets it ends the run
 */
async function isRed(test, checkout, walks) {
  const results = join(checkout, 'results.json');
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const choice = ['--selectProjects', 'api', '--testPathPatterns', test];
  const report = ['--json', `--outputFile=${results}`];
  const jest = [...node, 'node_modules/jest/bin/jest.js', ...choice, ...report];
  const size = atFullSize.includes(test) ? { TEST_SIZE: 'full' } : {};
  const output = await outputOf(jest, checkout, { MODEL_WALKS: process.env.MODEL_WALKS ?? walks, ...size });
  if (!existsSync(results)) throw new Error(`The test could not be started:\n${output}`);
  const assertions = JSON.parse(readFileSync(results, 'utf8')).testResults.flatMap(
    (file) => file.assertionResults,
  );
  if (assertions.length === 0) throw new Error(`The test did not run:\n${output}`);
  const failed = assertions.filter(({ status }) => status === 'failed');
  if (failed.length > 0) console.log(walkIn(failed[0].failureMessages.join('\n')));
  return failed.length > 0;
}

function outputOf(args, cwd, settings) {
  return new Promise((done) => {
    const env = { ...process.env, ...settings };
    execFile(process.execPath, args, { cwd, env, maxBuffer: Infinity }, (_, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}

/** Returns the shortest walk to the bug, as the test reports it. */
function walkIn(message) {
  return /The walk:\n((?:\s*\{.*\}\n)*)/.exec(message)?.[1] ?? message.slice(0, 2_000);
}
