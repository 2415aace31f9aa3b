import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useService } from '../support/service.js';

const run = promisify(execFile);
const service = useService();
let output = '';
beforeAll(async () => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey };
  output = (await run(process.execPath, ['scripts/demo.mjs'], { env })).stdout;
}, 300_000);

/** The steps without their results, which hold ports, versions, times, and retries of a slow registry. */
const steps = (text: string) =>
  text.split('\n').filter((line) => /^(==| {3}\S)/.test(line) && line !== '   POST /api/mcp/installed');

describe('the demo', () => {
  it('runs all flows on a running service with real servers, and ends with the tool revoked', () => {
    expect(output).toContain('it returns that Ada wrote the first program');
    expect(output).toContain('became Open automatically');
    expect(output).toContain('refused: Unknown, or not granted to you');
    expect(output).toContain('All flows are done.');
  });

  it('prints the steps that the README shows', () => {
    const shown = /```text\n(== An agent[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    expect(steps(shown)).toEqual(steps(output));
  });
});
