import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerSupervisor } from '../../../../src/mcp/processes/server-supervisor.js';
import { supervisorSettings } from '../../../../src/mcp/processes/supervisor-settings.js';
import type { ServerDescription } from '../../../../src/mcp/processes/server-description.js';
import { aDataDir, aServer, eventually, processesMarked, STRONGEST, textOf } from './fake-servers.js';

const data = aDataDir();
const crashed: string[] = [];
const changed: string[] = [];
const MEGABYTE = 1024 * 1024;
let supervisor: ServerSupervisor;
let good: ServerDescription;

beforeAll(async () => {
  const settings = supervisorSettings({
    sandbox: STRONGEST,
    serviceDataDir: data.path,
    startTimeoutMs: 7_000,
    callTimeoutMs: 400,
    callHardLimitMs: 1_500,
    processMemoryMb: 256,
    backOffMs: { first: 10, longest: 40 },
    watchMs: 100,
  });
  const hooks = { onCrashLimit: (id: string) => crashed.push(id), onListChanged: (id: string) => changed.push(id) };
  supervisor = new ServerSupervisor(settings, hooks);
  good = aServer(data.path, 'misbehaving.mjs polite');
  await call(good, 'echo');
});
afterAll(async () => {
  await supervisor.shutdown();
  data.drop();
});

function call(server: ServerDescription, name: string, given: Record<string, unknown> = {}, further = {}): Promise<Record<string, unknown>> {
  return supervisor.call(server, 'shared', 'tools/call', { name, arguments: given }, further);
}

/** What a misbehaving server does must end in its time, and nobody else may notice. */
async function whileOthersAreServed<T>(misbehaviour: Promise<T>): Promise<T> {
  const settled = misbehaviour.finally(() => (over = true));
  let over = false;
  settled.catch(() => undefined);
  while (!over) {
    const answer = await call(good, 'echo', { still: 'here' }, { timeoutMs: 20_000 });
    expect(textOf(answer)).toBe('{"still":"here"}');
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  return settled;
}

const fake = (mode: string, further = {}): ReturnType<typeof aServer> => aServer(data.path, `misbehaving.mjs ${mode}`, further);
const withoutProbe = { prior: { era: 'legacy' as const, at: new Date().toISOString() } };

describe('a server that misbehaves is contained while others are served:', () => {
  it('1. silent at the start', async () => {
    const hurried = new ServerSupervisor(
      supervisorSettings({ sandbox: STRONGEST, serviceDataDir: data.path, startTimeoutMs: 500 }),
      { onCrashLimit: () => undefined, onListChanged: () => undefined },
    );
    const start = hurried.call(fake('silent-at-start', withoutProbe), 'shared', 'tools/list', {});
    await expect(whileOthersAreServed(start)).rejects.toMatchObject({ kind: 'start_failed', reason: expect.stringContaining('in time') });
    await hurried.shutdown();
  });

  it('2. silent on a call: that call times out, the next one is answered', async () => {
    const server = fake('silent-on-call');
    await expect(whileOthersAreServed(call(server, 'silent'))).rejects.toMatchObject({ kind: 'timed_out' });
    await expect(call(server, 'echo')).resolves.toBeDefined();
  });

  it('3. nothing but garbage on stdout: ended after 50 lines', async () => {
    await expect(whileOthersAreServed(call(fake('garbage'), 'echo'))).rejects.toMatchObject({ kind: 'start_failed', reason: expect.stringContaining('something else than MCP') });
  });

  it('4. a banner, then MCP: served', async () => {
    expect(textOf(await call(fake('banner'), 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('5. an answer of 100 MB: too large for its caller alone, the process goes on', async () => {
    const server = fake('huge-line');
    await call(server, 'echo');
    const other = call(server, 'echo', { other: 'call' }, { timeoutMs: 20_000 });
    const huge = call(server, 'huge', { bytes: 100 * MEGABYTE }, { timeoutMs: 20_000, maxTotalMs: 20_000 });
    await expect(whileOthersAreServed(huge)).rejects.toMatchObject({ kind: 'too_large' });
    expect(textOf(await other)).toBe('{"other":"call"}');
    await expect(call(server, 'echo')).resolves.toBeDefined();
  });

  it('6. a flood of stderr: drained, the last of it kept', async () => {
    const server = fake('stderr-flood');
    const answer = await whileOthersAreServed(call(server, 'flood', { bytes: 64 * MEGABYTE }, { timeoutMs: 20_000, maxTotalMs: 20_000 }));
    expect(textOf(answer)).toBe('dry again');
    await eventually(() => supervisor.logs(server.serverId).at(-1)?.text === 'the end of the flood');
  });

  it('7. never reads its input: calls are refused once the queue is full, none hangs', async () => {
    const server = fake('deaf');
    await call(server, 'stop-reading');
    const big = 'x'.repeat(3 * MEGABYTE);
    const calls = await whileOthersAreServed(Promise.allSettled([1, 2, 3, 4, 5].map(() => call(server, 'echo', { big }))));
    const kinds = calls.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.kind : 'answered'));
    expect(kinds).not.toContain('answered');
    expect(kinds).toContain('busy');
  });

  it('8. two answers with one id: the first one counts', async () => {
    const server = fake('duplicate-ids');
    expect(textOf(await call(server, 'echo'))).toBe('first');
    expect(textOf(await call(server, 'echo'))).toBe('first');
  });

  it('9. answers that nobody asked for: ignored, whatever their ids', async () => {
    expect(textOf(await call(fake('unknown-ids'), 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('10. a batch: taken apart', async () => {
    expect(textOf(await call(fake('batch'), 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('11. progress for ever: ended by the hard limit, not by the time-out that progress renews', async () => {
    const started = Date.now();
    const work = call(fake('progress-for-ever'), 'work');
    await expect(whileOthersAreServed(work)).rejects.toMatchObject({ kind: 'timed_out', reason: expect.stringContaining('1.5 s') });
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_500);
  });

  it('12. exits at once: said so, with its exit code', async () => {
    await expect(whileOthersAreServed(call(fake('exit-at-once'), 'echo'))).rejects.toMatchObject({ kind: 'start_failed', reason: expect.stringContaining('code 3') });
  });

  it('13. exits in a call: all calls on it end, the next one starts it anew', async () => {
    const server = fake('exit-in-call');
    await call(server, 'echo');
    await expect(whileOthersAreServed(call(server, 'die'))).rejects.toMatchObject({ kind: 'died' });
    await expect(call(server, 'echo')).resolves.toBeDefined();
  });

  it('14. crashes again and again: five times, then reported', async () => {
    const server = fake('exit-in-call');
    for (let crash = 0; crash < 5; crash += 1) {
      expect(crashed).not.toContain(server.serverId);
      await expect(call(server, 'die')).rejects.toMatchObject({ kind: 'died' });
    }
    await eventually(() => crashed.includes(server.serverId));
  });

  it('15. stops itself: its calls time out, and stopping it leaves nothing', async () => {
    const server = fake('stops-itself');
    await expect(whileOthersAreServed(call(server, 'stop'))).rejects.toMatchObject({ kind: 'timed_out' });
    await whileOthersAreServed(supervisor.stop(server.serverId, 'removed'));
    expect(supervisor.live().map(({ serverId }) => serverId)).not.toContain(server.serverId);
  });

  it('16. forks fifty times: all end with it', async () => {
    const server = fake('fork-bomb');
    await call(server, 'fork');
    const mark = `HOME=${server.dataDir}/`;
    expect((await processesMarked(mark)).length).toBeGreaterThanOrEqual(50);
    await whileOthersAreServed(supervisor.stop(server.serverId, 'removed'));
    expect(await processesMarked(mark)).toEqual([]);
  });

  it('17. eats memory: ended with a reason once it passes its cap', async () => {
    const eating = call(fake('memory-eater'), 'eat', { megabytes: 400 }, { timeoutMs: 20_000, maxTotalMs: 20_000 });
    await expect(whileOthersAreServed(eating)).rejects.toMatchObject({ kind: 'memory', reason: expect.stringContaining('256 MiB') });
  });

  it('18. asks for sampling, roots, elicitation: each refused with -32601', async () => {
    expect(textOf(await call(fake('asks-client'), 'ask'))).toBe('[-32601,-32601,-32601]');
  });

  it('19. has other tools after a restart: the owner is told to look again', async () => {
    const server = fake('changes-tools');
    expect((await supervisor.listTools(server, 'shared')).map(({ name }) => name)).toEqual(['before']);
    await expect(call(server, 'die')).rejects.toMatchObject({ kind: 'died' });
    changed.length = 0;
    expect((await supervisor.listTools(server, 'shared')).map(({ name }) => name)).toEqual(['after']);
    expect(changed).toContain(server.serverId);
  });

  it('20. repeats its secrets: masked in results, errors, progress and logs, in every form', async () => {
    const secret = 's3cr3t/value+with=signs';
    const server = fake('echoes-secrets', { env: { SECRET: secret }, secrets: [secret] });
    const seen: unknown[] = [];
    seen.push(await call(server, 'result'));
    seen.push(await call(server, 'error').catch(({ message, data: detail }) => ({ message, detail })));
    await call(server, 'progress', {}, { onProgress: (params: unknown) => seen.push(params) });
    await eventually(() => supervisor.logs(server.serverId).length > 0);
    seen.push(supervisor.logs(server.serverId));
    expect(seen).toHaveLength(4);
    const text = JSON.stringify(seen);
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), Buffer.from(`user:${secret}`).toString('base64')];
    forms.forEach((form) => expect(text).not.toContain(form));
    expect(text.match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(10);
  });
});
