import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { useService } from '../support/service.js';

const run = promisify(execFile);
const service = useService();

describe('the demo', () => {
  it('plays both flows on a running service, with real servers, and ends with the tool gone', async () => {
    const { stdout } = await run(process.execPath, ['scripts/demo.mjs'], {
      env: { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey },
    });
    expect(stdout).toContain('it remembers that Ada wrote the first program');
    expect(stdout).toContain('became Open by itself');
    expect(stdout).toContain('refused: Unknown, or not granted to you');
    expect(stdout).toContain('Both flows are done.');
  }, 300_000);
});
