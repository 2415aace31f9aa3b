import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const ROOT = resolve(import.meta.dirname, '../..');

/** The seconds that the longest test files take on two processors. Update it when a file becomes much faster. */
const SECONDS = {
  'mcp/packages-python': 88,
  'dashboard/runs': 60,
  'dashboard/servers-flow': 60,
  'dashboard/servers': 25,
  'dashboard/palette': 30,
  'dashboard/senses': 25,
  'gateway/mcp-restart': 40,
  'work/issues/model': 25,
  'agents/halted': 28,
  'platform/limits': 35,
  'platform/later-schema': 30,
  'runner/issue-run': 43,
  'runner/ask': 28,
  'src/gateway/mcp-protocol/strict-clients.spec.ts': 35,
  'src/gateway/mcp-protocol/strict-calls.spec.ts': 30,
  'swagger-forms': 54,
  'work/attachments.crashes': 53,
  'dashboard/issues': 52,
  'platform/backup': 50,
  'mcp/installed-servers-packages': 45,
  'platform/access/access-matrix': 49,
  'mcp/installed-servers-races.concurrency': 42,
  'dashboard/acting': 41,
  'mcp/catalog-servers-flow': 39,
  'mcp/processes/bad-speech': 35,
  'mcp/processes/bad-processes': 35,
  'mcp/installed-servers-flow': 35,
  'platform/openapi': 35,
  'platform/planted-mistakes': 35,
  'runner/failures': 54,
  'work/attachments.downloads': 30,
  'gateway/tools-hosts': 45,
  'platform/keys-command': 20,
  'dashboard/access-matrix': 35,
  'gateway/webhooks': 32,
  'dashboard/credential-sets': 20,
  'dashboard/remote-sign-in': 20,
  'mcp/oauth-crash': 27,
  'mcp/catalog-import': 60,
  'mcp/packages': 60,
  demo: 31,
  'mcp/installed-servers-secrets': 31,
  'platform/database-away': 30,
  'platform/shutdown': 30,
  'platform/shutdown.concurrency': 29,
  'mcp/ended-servers': 28,
  'dashboard/sign-in': 27,
};
const pathOf = (name) => (name.endsWith('.ts') ? name : `test/api/${name}.api-spec.ts`);
const DURATIONS = new Map(
  Object.entries(SECONDS).map(([name, seconds]) => [join(ROOT, pathOf(name)), seconds * 1000]),
);

for (const file of DURATIONS.keys())
  if (!existsSync(file)) throw new Error(`${file} does not exist: correct test/support/longest-first.mjs.`);

/**
 * Runs the longest files first, on a fresh clone too, where Jest has measured none and would sort by size. Otherwise one
 * worker is left with a long file while the other has nothing to do.
 */
export default class LongestFirst extends TestSequencer {
  time(test) {
    return super.time(test) ?? DURATIONS.get(test.path) ?? 1_000;
  }
}
