import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Crowd } from './crowd.js';
import { aDataDir, textOf } from './fake-servers.js';
import { until } from '../../../support/until.js';

const data = aDataDir();
const MEGABYTE = 1024 * 1024;
let crowd: Crowd;

beforeAll(() => {
  crowd = new Crowd(data.path);
});
afterAll(async () => {
  await crowd.supervisor.shutdown();
  data.drop();
});

describe('a server that misuses the protocol is contained while others are served:', () => {
  it('2. a call that gets no response times out, and the next one succeeds', async () => {
    const server = crowd.misbehaving('silent-on-call');
    await expect(
      crowd.whileOthersAreServed(crowd.call(server, 'silent', {}, { timeoutMs: 300 })),
    ).rejects.toMatchObject({ kind: 'timed_out' });
    await expect(crowd.call(server, 'echo')).resolves.toBeDefined();
  });

  it('3. a server that writes only garbage to stdout is ended after 50 lines', async () => {
    await expect(
      crowd.whileOthersAreServed(crowd.call(crowd.misbehaving('garbage'), 'echo')),
    ).rejects.toMatchObject({
      kind: 'start_failed',
      reason: expect.stringContaining('something else than MCP'),
    });
  });

  it('4. a server that writes a banner before MCP works', async () => {
    expect(textOf(await crowd.call(crowd.misbehaving('banner'), 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('5. a response of 100 MB is an error for its caller only, and the process goes on', async () => {
    const server = crowd.misbehaving('huge-line');
    await crowd.call(server, 'echo');
    // A busy machine takes more than the default minute to write and read so much.
    const huge = crowd.call(server, 'huge', { bytes: 100 * MEGABYTE }, { timeoutMs: 110_000 });
    await expect(crowd.whileOthersAreServed(huge)).rejects.toMatchObject({ kind: 'too_large' });
    expect(textOf(await crowd.call(server, 'echo', { next: 'call' }))).toBe('{"next":"call"}');
    expect(crowd.supervisor.live().filter(({ serverId }) => serverId === server.serverId)).toHaveLength(1);
  });

  it('6. a flood of stderr is drained, and its end is kept', async () => {
    const server = crowd.misbehaving('stderr-flood');
    const answer = await crowd.whileOthersAreServed(crowd.call(server, 'flood', { bytes: 64 * MEGABYTE }));
    expect(textOf(answer)).toBe('dry again');
    await until(() => crowd.supervisor.logs(server.serverId).at(-1)?.text === 'the end of the flood');
  });

  it('7. calls to a server that never reads its input are refused once the queue is full, and none hangs', async () => {
    const server = crowd.misbehaving('deaf');
    await crowd.call(server, 'stop-reading');
    const big = 'x'.repeat(3 * MEGABYTE);
    const calls = await crowd.whileOthersAreServed(
      Promise.allSettled(
        [1, 2, 3, 4, 5].map(() => crowd.call(server, 'echo', { big }, { timeoutMs: 1_000 })),
      ),
    );
    const kinds = calls.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.kind : 'answered'));
    expect(kinds).not.toContain('answered');
    expect(kinds).toContain('busy');
  });

  it('8. of two responses with one id the first counts', async () => {
    const server = crowd.misbehaving('duplicate-ids');
    expect(textOf(await crowd.call(server, 'echo'))).toBe('first');
    expect(textOf(await crowd.call(server, 'echo'))).toBe('first');
  });

  it('9. responses without a request are ignored, whatever their ids', async () => {
    expect(textOf(await crowd.call(crowd.misbehaving('unknown-ids'), 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('10. a batch is split into its messages', async () => {
    expect(textOf(await crowd.call(crowd.misbehaving('batch'), 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('11. a call with endless progress is ended by the hard limit, not by the time-out that progress renews', async () => {
    const started = Date.now();
    const work = crowd.call(
      crowd.misbehaving('progress-for-ever'),
      'work',
      {},
      { timeoutMs: 2_000, maxTotalMs: 3_000 },
    );
    await expect(crowd.whileOthersAreServed(work)).rejects.toMatchObject({
      kind: 'timed_out',
      reason: expect.stringContaining('3 s'),
    });
    expect(Date.now() - started).toBeGreaterThanOrEqual(3_000);
  });

  it('18. requests for sampling and roots are refused with -32601, and a malformed question with -32602', async () => {
    expect(textOf(await crowd.call(crowd.misbehaving('asks-client'), 'ask'))).toBe('[-32601,-32601,-32602]');
  });

  it('20. secrets that a server repeats are masked in results, errors, progress and logs, in every form', async () => {
    const secret = 's3cr3t/value+with=signs';
    const server = crowd.misbehaving('echoes-secrets', { env: { SECRET: secret }, secrets: [secret] });
    const seen: unknown[] = [];
    seen.push(await crowd.call(server, 'result'));
    seen.push(await crowd.call(server, 'error').catch(({ message, data: detail }) => ({ message, detail })));
    await crowd.call(server, 'progress', {}, { onProgress: (params: unknown) => seen.push(params) });
    await until(() => crowd.supervisor.logs(server.serverId).length > 0);
    seen.push(crowd.supervisor.logs(server.serverId));
    expect(seen).toHaveLength(4);
    const text = JSON.stringify(seen);
    const forms = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
      Buffer.from(`user:${secret}`).toString('base64'),
    ];
    forms.forEach((form) => expect(text).not.toContain(form));
    expect(text.match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(10);
  });
});
