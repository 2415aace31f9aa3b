import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { processesIn } from '../support/processes-in.js';
import { useService } from '../support/service.js';
import { until } from '../support/until.js';

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
    expect(output).toContain('the agent goes on with: Echo: Version 2 is out');
    expect(output).toContain('nothing needs a person any more');
    expect(output).toContain('refused: Unknown, or not granted to you');
    expect(output).toContain('All flows are done.');
  });

  it('prints the steps that the README shows', () => {
    const shown = /```text\n(== An agent[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    expect(steps(shown)).toEqual(steps(output));
  });

  it('leaves no process of its own behind when it is killed: service, database, runners and agents end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'awp-killed-demo-'));
    const { BASE_URL: _url, API_KEY: _key, ...env } = process.env;
    const demo = spawn(process.execPath, ['scripts/demo.mjs', '--offline'], {
      env: { ...env, TMPDIR: folder },
    });
    let printed = '';
    demo.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      await until(() => printed.includes('awp-runner run, once for each agent'), 120);
      await until(() => processesIn(folder).some((command) => command.includes('scripted-agent.mjs')));
      expect(processesIn(folder).some((command) => command.includes('postgres'))).toBe(true);
    } finally {
      demo.kill('SIGKILL');
    }
    await until(() => processesIn(folder).length === 0);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 300_000);

  it('with --stay prints the address of a board where agents work until Ctrl-C', async () => {
    const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey };
    // Ctrl-C reaches the whole group of processes, so that the demo needs one of its own.
    const demo = spawn(process.execPath, ['scripts/demo.mjs', '--stay', '--offline'], {
      env,
      detached: true,
    });
    const ended = once(demo, 'exit');
    let printed = '';
    demo.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      const key = await until(
        () => /The board is at \S+\/p\/(PAY[0-9A-F]{4})\/board/.exec(printed)?.[1],
        120,
      );
      const resolved = async () =>
        (await service.owner.get<object[]>(`/api/projects/${key}/issues?status=Resolved`)).body.length;
      const before = await resolved();
      await until(async () => (await resolved()) > before, 120);
    } finally {
      process.kill(-demo.pid!, 'SIGINT');
    }
    expect(await ended).toEqual([0, null]);
  }, 300_000);
});
