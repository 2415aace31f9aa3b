import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { fileOf, SLOW } from './slow-files.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The seconds that the longest test files take on two processors, apart from those of slow-files.mjs. Update it when a file
 * becomes much faster.
 */
const SECONDS = {
  'mcp/packages-python': 88,
  'work/issues/model': 25,
  'agents/halted': 28,
  'platform/limits': 35,
  'src/gateway/mcp-protocol/strict-clients.spec.ts': 35,
  'src/gateway/mcp-protocol/strict-calls.spec.ts': 30,
  'swagger-forms': 54,
  'work/attachments.crashes': 53,
  'platform/access/access-matrix': 35,
  'mcp/installed-servers-races.concurrency': 42,
  'mcp/installed-servers-flow': 35,
  'platform/openapi': 35,
  'platform/planted-mistakes': 35,
  'mcp/oauth-crash': 27,
  'platform/shutdown.concurrency': 29,
  'dashboard/sign-in': 27,
  ...SLOW,
};
const pathOf = (name) => (name.endsWith('.ts') ? name : fileOf(name));
const DURATIONS = new Map(
  Object.entries(SECONDS).map(([name, seconds]) => [join(ROOT, pathOf(name)), seconds * 1000]),
);

// A copy in which a bug is planted has no sources.
for (const file of DURATIONS.keys())
  if (!existsSync(file) && existsSync(dirname(file)))
    throw new Error(`${file} does not exist: correct test/support/longest-first.mjs.`);

/**
 * Runs the longest files first, on a fresh clone too, where Jest has measured none and would sort by size. Otherwise one
 * worker is left with a long file while the other has nothing to do.
 */
export default class LongestFirst extends TestSequencer {
  time(test) {
    return super.time(test) ?? DURATIONS.get(test.path) ?? 1_000;
  }
}
