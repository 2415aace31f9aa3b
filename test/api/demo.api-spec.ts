import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
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

/** How a killed demo was seen: that its processes ran, and that they ended with it. */
interface Killed {
  hadDatabase: boolean;
  hadAgent: boolean;
}

// Each of them waits most of its time, for packages, agents and its own service, so that they run beside one another.
let whole: Promise<string>;
let killed: Promise<Killed>;
let stayed: Promise<unknown[]>;
beforeAll(() => {
  whole = runWhole();
  killed = killMidway();
  stayed = stayUntilStopped();
  // Each test throws the failure of its own.
  for (const demo of [whole, killed, stayed]) demo.catch(() => undefined);
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

  it(
    'leaves no process of its own behind when it is killed: service, database, runners and agents end',
    async () => expect(await killed).toEqual({ hadDatabase: true, hadAgent: true }),
    LIMIT_MS,
  );

  it(
    'with --stay prints the address of a board where agents work until Ctrl-C',
    async () => expect(await stayed).toEqual([0, null]),
    LIMIT_MS,
  );
});

/** Runs all flows on the service, and returns what the demo printed. */
async function runWhole(): Promise<string> {
  return (await run(process.execPath, ['scripts/demo.mjs'], { env: onService() })).stdout;
}

/** Kills a demo with a service of its own while its agents work, and returns when its last process has ended. */
async function killMidway(): Promise<Killed> {
  const folder = mkdtempSync(join(tmpdir(), 'awp-killed-demo-'));
  const { BASE_URL: _url, API_KEY: _key, ...env } = process.env;
  const demo = spawn(process.execPath, ['scripts/demo.mjs', '--offline'], {
    env: { ...env, TMPDIR: folder },
  });
  const printed = outputOf(demo);
  const runs = (name: string) => processesIn(folder).some((command) => command.includes(name));
  const seen: Killed = { hadDatabase: false, hadAgent: false };
  try {
    await until(() => printed().includes('awp-runner run, once for each agent'), 240);
    await until(() => runs('scripted-agent.mjs'));
    seen.hadAgent = true;
    seen.hadDatabase = runs('postgres');
  } finally {
    demo.kill('SIGKILL');
  }
  await until(() => processesIn(folder).length === 0);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return seen;
}

/** Waits until the agents of the board have resolved more, presses Ctrl-C, and returns how the demo ended. */
async function stayUntilStopped(): Promise<unknown[]> {
  // Ctrl-C reaches the whole group of processes, so that the demo needs one of its own.
  const demo = spawn(process.execPath, ['scripts/demo.mjs', '--stay', '--offline'], {
    env: onService(),
    detached: true,
  });
  const ended = once(demo, 'exit');
  const printed = outputOf(demo);
  try {
    const key = await until(
      () => /The board is at \S+\/p\/(PAY[0-9A-F]{4})\/board/.exec(printed())?.[1],
      240,
    );
    const resolved = async () =>
      (await service.owner.get<object[]>(`/api/projects/${key}/issues?status=Resolved`)).body.length;
    const before = await resolved();
    await until(async () => (await resolved()) > before, 240);
  } finally {
    process.kill(-demo.pid!, 'SIGINT');
  }
  return ended;
}

const onService = () => ({ ...process.env, BASE_URL: service.baseUrl, API_KEY: service.ownerKey });

function outputOf({ stdout }: ChildProcessWithoutNullStreams): () => string {
  let printed = '';
  stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return () => printed;
}
