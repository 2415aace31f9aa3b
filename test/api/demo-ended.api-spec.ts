import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { processesIn } from '../support/processes-in.js';
import { useService } from '../support/service.js';
import { until } from '../support/until.js';

const service = useService();

/** How a killed demo was seen: that its processes ran, and that they ended with it. */
interface Killed {
  hadDatabase: boolean;
  hadAgent: boolean;
}

// Both wait most of their time, for agents and a service of their own, so that they run beside one another.
let killed: Promise<Killed>;
let stayed: Promise<unknown[]>;
beforeAll(() => {
  killed = killMidway();
  stayed = stayUntilStopped();
  // Each test throws the failure of its own.
  for (const demo of [killed, stayed]) demo.catch(() => undefined);
});
const LIMIT_MS = 600_000;

describe('a demo that ends early', () => {
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
