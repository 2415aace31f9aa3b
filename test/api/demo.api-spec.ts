import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useService } from '../support/service.js';

const run = promisify(execFile);
const service = useService();
let said = '';
beforeAll(async () => {
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey };
  said = (await run(process.execPath, ['scripts/demo.mjs'], { env })).stdout;
}, 300_000);

/** What is done, without what came of it: that has ports, versions and times, and second tries at a slow registry. */
const steps = (text: string) =>
  text.split('\n').filter((line) => /^(==| {3}\S)/.test(line) && line !== '   POST /api/mcp/installed');

describe('the demo', () => {
  it('plays both flows on a running service, with real servers, and ends with the tool gone', () => {
    expect(said).toContain('it remembers that Ada wrote the first program');
    expect(said).toContain('became Open by itself');
    expect(said).toContain('refused: Unknown, or not granted to you');
    expect(said).toContain('Both flows are done.');
  });

  it('is what the README shows', () => {
    const shown = /```text\n(== An agent[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    expect(steps(shown)).toEqual(steps(said));
  });
});
