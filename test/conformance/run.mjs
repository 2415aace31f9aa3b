// `npm run test:conformance`: the official MCP conformance suite, against a fixture server directly and then through
// the gateway, for both protocol eras. The two must come out alike: what a gateway changes would show here.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from '../../scripts/ensure-ready.mjs';
import { startFixture } from './fixture.mjs';
import { startGateway } from './gateway.mjs';
import { startProxy } from './renaming-proxy.mjs';
import { bringSuite, runSuite } from './suite.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const BASELINE = join(import.meta.dirname, 'baseline.yml');

await ensureInstalled();
await ensureBuilt();
await bringSuite();

const results = mkdtempSync(join(tmpdir(), 'awp-conformance-results-'));
const fixture = await startFixture();
const ends = [() => fixture.close(), () => rmSync(results, { recursive: true, force: true })];
let failed = false;
try {
  proveBaselineIsNarrow();
  await proveStaleLineFails(fixture.port);
  await prove('directly', fixture.port);
  const port = await portThroughGateway();
  await prove('through the gateway', port);
} finally {
  for (const end of ends.reverse()) await end();
}
process.exitCode = failed ? 1 : 0;

/** The proxy's port is known before the service starts: it has to be among the Origins that may speak to it. */
async function portThroughGateway() {
  const target = { target: new URL('http://127.0.0.1'), key: '', slug: '' };
  const proxy = await startProxy(target);
  ends.push(() => proxy.close());
  const origins = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${proxy.port}`);
  const gateway = await startGateway({ fixturePort: fixture.port, origins });
  ends.push(() => gateway.stop());
  Object.assign(target, { target: gateway.url, key: gateway.key, slug: gateway.slug });
  return proxy.port;
}

/** Checks that the baseline excludes only what an unattended agent cannot have (baseline.yml explains why). */
function proveBaselineIsNarrow() {
  const names = [...readFileSync(BASELINE, 'utf8').matchAll(/^ +- (\S+)$/gm)].map(([, name]) => name);
  const others = names.filter((name) => !/logging|sampling|elicitation|roots|^input-required-/.test(name));
  failed ||= others.length > 0 || names.length === 0;
  if (others.length > 0) console.log(`FAILED  the baseline excuses ${others.join(', ')}`);
}

/** A line for a scenario that passes must fail: else the baseline would go on excusing what once was wrong. */
async function proveStaleLineFails(port) {
  const stale = join(results, 'stale.yml');
  writeFileSync(stale, `${readFileSync(BASELINE, 'utf8').trimEnd()}\n  - tools-list\n`);
  const [revision] = REVISIONS;
  const { code, output } = await runSuite(
    `http://localhost:${port}/mcp`,
    revision,
    stale,
    join(results, 'stale'),
  );
  const isTold = code !== 0 && /stale/i.test(output);
  failed ||= !isTold;
  console.log(`${isTold ? 'passed' : 'FAILED'}  a stale line of the baseline makes the suite fail`);
}

async function prove(how, port) {
  for (const revision of REVISIONS) {
    const { code, output } = await runSuite(
      `http://localhost:${port}/mcp`,
      revision,
      BASELINE,
      join(results, `${how} ${revision}`),
    );
    failed ||= code !== 0;
    const [checks = ''] =
      /\d+ passed, \d+ failed(?=\s*$)/m.exec(output.slice(output.lastIndexOf('Total'))) ?? [];
    console.log(
      `${code === 0 ? 'passed' : 'FAILED'}  ${revision}  ${how} (checks of all scenarios: ${checks})`,
    );
    if (code !== 0) console.log(output.split('\n').slice(-60).join('\n'));
  }
}
