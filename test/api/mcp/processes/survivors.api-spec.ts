import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxLevel } from '../../../../src/mcp/processes/sandbox/launch-command.js';
import { sweepOrphans } from '../../../../src/mcp/processes/supervision/orphans.js';
import { until } from '../../../support/until.js';
import { aDataDir, aServer, LEVELS, STRONGEST } from './fake-servers.js';

const KINDS = ['polite', 'stubborn', 'grandchild', 'daemon', 'double fork', 'crash loop'];

const built = fileURLToPath(
  new URL('../../../../dist/src/mcp/processes/supervision/server-supervisor.js', import.meta.url),
);
const ownerScript = fileURLToPath(
  new URL('../../../support/mcp-servers/supervising-service.mjs', import.meta.url),
);
const data = aDataDir();
const owners: ChildProcessWithoutNullStreams[] = [];

afterAll(() => {
  owners.forEach((owner) => owner.kill('SIGKILL'));
  data.drop();
});

let lastNap = 700_000 + process.pid;

/** Starts a service with one running server of each kind; `naps` holds the number that identifies the processes of each. */
async function anOwner(
  level: SandboxLevel,
  kinds: string[],
): Promise<{ owner: ChildProcessWithoutNullStreams; naps: Map<string, number> }> {
  const napOf = new Map(kinds.map((kind) => [kind, (lastNap += 1_000)]));
  const servers = kinds.map((kind) => {
    const server = aServer(data.path, 'process-tree.mjs', {
      prior: { era: 'legacy', at: new Date().toISOString() },
    });
    return { ...server, args: [...server.args, kind, String(napOf.get(kind))] };
  });
  const stopLadder = { afterEndOfInputMs: 400, afterTerminateMs: 400 };
  const settings = {
    sandbox: level,
    serviceDataDir: data.path,
    watchMs: 50,
    stopLadder,
    shutdownLadder: stopLadder,
  };
  const owner = spawn(process.execPath, [
    ownerScript,
    pathToFileURL(built).href,
    JSON.stringify(settings),
    JSON.stringify(servers),
  ]);
  owners.push(owner);
  owner.stderr.pipe(process.stderr);
  await says(owner, 'ready');
  return { owner, naps: napOf };
}

async function says(owner: ChildProcessWithoutNullStreams, word: string): Promise<void> {
  let heard = '';
  for await (const chunk of owner.stdout.iterator({ destroyOnReturn: false })) {
    heard += String(chunk);
    if (heard.includes(word)) return;
  }
  throw new Error(`The owner ended without saying '${word}'.`);
}

/** Returns the command lines that hold this number, except the owner's own. */
async function survivors(nap: number | undefined): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  );
  return lines.filter((line) => line.includes(String(nap)) && !line.includes('supervising-service.mjs'));
}

describe.each(LEVELS)('no process is left behind at the level %s', (level) => {
  // The weakest level recognises a process by its environment, so the watcher cannot find one that wipes it.
  const kinds = level === 'process-group' ? KINDS : [...KINDS, 'wiped daemon'];

  describe('when a server is stopped', () => {
    let naps: Map<string, number>;
    beforeAll(async () => {
      const { owner, ...rest } = await anOwner(level, kinds);
      naps = rest.naps;
      owner.stdin.write('stop\n');
      await says(owner, 'stopped');
    });
    it.each(kinds)('of the kind: %s', async (kind) => {
      expect(await survivors(naps.get(kind))).toEqual([]);
    });
  });

  describe('when the service shuts down', () => {
    let naps: Map<string, number>;
    beforeAll(async () => {
      const { owner, ...rest } = await anOwner(level, kinds);
      naps = rest.naps;
      owner.kill('SIGTERM');
      await once(owner, 'exit');
    });
    it.each(kinds)('of a server of the kind: %s', async (kind) => {
      expect(await survivors(naps.get(kind))).toEqual([]);
    });
  });

  describe('when the service is killed', () => {
    let naps: Map<string, number>;
    beforeAll(async () => {
      const { owner, ...rest } = await anOwner(level, kinds);
      naps = rest.naps;
      expect((await survivors(naps.get('daemon'))).length).toBeGreaterThanOrEqual(2);
      owner.kill('SIGKILL');
      await once(owner, 'exit');
    });
    it.each(kinds)('of a server of the kind: %s', async (kind) => {
      await until(async () => (await survivors(naps.get(kind))).length === 0);
    });
  });
});

describe('the orphan sweep', () => {
  it('kills the servers of a killed service whose watcher was killed too, and removes their secret files', async () => {
    const { owner, naps } = await anOwner('process-group', ['daemon']);
    const watcher = await childOf(owner, 'mcp-orphan-watcher');
    owner.kill('SIGSTOP'); // Otherwise it would start another watcher.
    process.kill(watcher, 'SIGKILL');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect((await survivors(naps.get('daemon'))).length).toBeGreaterThanOrEqual(1);
    await sweepOrphans(data.path);
    await until(async () => (await survivors(naps.get('daemon'))).length === 0);
    expect(await readdir(`${data.path}/mcp-run`)).toEqual([]);
  });

  it('does not touch the processes of a living service', async () => {
    const { owner, naps } = await anOwner(STRONGEST, ['daemon']);
    const before = await survivors(naps.get('daemon'));
    expect(await sweepOrphans(data.path)).toBe(0);
    expect(await survivors(naps.get('daemon'))).toEqual(before);
    expect((await readdir(`${data.path}/mcp-run`)).length).toBeGreaterThan(0);
    owner.kill('SIGTERM');
    await once(owner, 'exit');
  });
});

async function childOf(owner: ChildProcessWithoutNullStreams, word: string): Promise<number> {
  const pids = (await readFile(`/proc/${owner.pid}/task/${owner.pid}/children`, 'latin1')).trim().split(' ');
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1')));
  return Number(pids[lines.findIndex((line) => line.includes(word))]);
}
