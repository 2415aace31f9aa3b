import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useService } from '../support/service.js';

const run = promisify(execFile);
const service = useService();

// Both tests read what one demo printed.
let whole: Promise<string>;
beforeAll(() => {
  whole = runWhole();
  whole.catch(() => undefined);
});
const LIMIT_MS = 600_000;

/**
 * The steps without their results, which hold ports, versions, times, and retries of a slow registry. Of two demos on one
 * service, one gets the key DEMO.
 */
const steps = (text: string) =>
  text
    .replace(/DEMO[0-9A-F]+-/g, 'DEMO-')
    .split('\n')
    .filter((line) => /^(==| {3}\S)/.test(line) && line !== '   POST /api/mcp/installed');

const counts = (text: string) => text.match(/own \d+|\d+ granted|listed \d+ tools/g);

describe('the demo', () => {
  it(
    'runs all flows on a running service with real servers, and ends with the tool revoked',
    async () => {
      const output = await whole;
      expect(output).toContain('it returns that Ada wrote the first program');
      expect(output).toContain('became Open automatically');
      expect(output).toContain('the agent goes on with: Echo: Version 2 is out');
      expect(output).toContain('nothing needs a person any more');
      expect(output).toContain('refused: Unknown, or not granted to you');
      expect(output).toContain('All flows are done.');
    },
    LIMIT_MS,
  );

  it('prints the steps and the numbers of tools that the README shows', async () => {
    const shown = /```text\n(== An agent[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    expect(steps(shown)).toEqual(steps(await whole));
    expect(counts(shown)).toHaveLength(4);
    expect(counts(shown)).toEqual(counts(await whole));
  });
});

/** Runs all flows on the service, and returns what the demo printed. */
async function runWhole(): Promise<string> {
  return (await run(process.execPath, ['scripts/demo.mjs'], { env: onService() })).stdout;
}

const onService = () => ({ ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey });
