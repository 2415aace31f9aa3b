import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OtlpCollector } from '../../../test/support/otlp-collector.js';
import { until } from '../../../test/support/until.js';
import { tracedStatement } from '../database/service.client.js';
import { endTracing, startTracing } from './open-telemetry.js';
import { currentSpan, currentTraceparent, inSpan, startRootSpan, withoutSpan, withSpan } from './spans.js';

const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const NOT_SAMPLED = SAMPLED.replace(/01$/, '00');

let collector: OtlpCollector;
beforeEach(async () => {
  collector = await OtlpCollector.start();
});
afterEach(async () => {
  collector.release();
  await endTracing();
  await collector.stop();
});
const start = (share = 1) =>
  startTracing({ url: `${collector.url}/v1/traces`, serviceName: 'the service', share });

describe('traces', () => {
  it('have no span while they are off', async () => {
    await startTracing(null);
    expect(startRootSpan('GET', {})).toBeNull();
    expect(await inSpan('work', {}, async (span) => [span, currentSpan(), currentTraceparent()])).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('continue the trace of the caller, and go on in the work of the request', async () => {
    await start();
    const root = startRootSpan('GET', { kind: 'server', continues: SAMPLED })!;
    await withSpan(root, () => tracedStatement(null, 'SELECT a FROM issues WHERE id = $1', async () => null));
    root.end();
    await endTracing();
    const [statement, request] = ['SELECT issues', 'GET'].map((name) => collector.named(name)[0]!);
    expect(request).toMatchObject({
      traceId: SAMPLED.slice(3, 35),
      parentSpanId: SAMPLED.slice(36, 52),
      kind: 2,
    });
    expect(statement).toMatchObject({ traceId: request!.traceId, parentSpanId: request!.spanId, kind: 3 });
    expect(collector.resource).toMatchObject({ 'service.name': 'the service' });
  });

  it('have no statement of work that goes on after the span, or that serves several requests', async () => {
    await start();
    const root = startRootSpan('GET', {})!;
    const statement = () => tracedStatement('late', 'SELECT 1', async () => currentSpan());
    await withSpan(root, () => withoutSpan(statement));
    const late = withSpan(root, () => pause(5).then(statement));
    root.end();
    expect(await late).toBeNull();
    await endTracing();
    expect(collector.spans.map(({ name }) => name)).toEqual(['GET']);
  });

  it('show the code of an error, and not its message', async () => {
    await start();
    const root = startRootSpan('GET', {})!;
    const error = Object.assign(new Error('value "the secret" is too long'), { code: '22001' });
    const failing = withSpan(root, () => tracedStatement('save', 'UPDATE x', () => Promise.reject(error)));
    await expect(failing).rejects.toBe(error);
    root.end();
    await endTracing();
    expect(collector.named('save')).toMatchObject([{ status: 2, attributes: { 'error.type': '22001' } }]);
    expect(collector.text).not.toContain('the secret');
  });

  it.each([
    [0, undefined, 0],
    [0, SAMPLED, 1],
    [1, undefined, 1],
    [1, NOT_SAMPLED, 0],
  ])('with a share of %d and the caller %s are sent %d times', async (share, continues, times) => {
    await start(share);
    const root = startRootSpan('GET', { continues: continues ?? null })!;
    await withSpan(root, () => inSpan('work', {}, async () => undefined));
    root.end();
    await endTracing();
    expect(collector.named('GET')).toHaveLength(times);
    expect(collector.named('work')).toHaveLength(times);
  });

  it('keep at most 2,048 spans for a collector that does not respond, beside the batch under way', async () => {
    await start();
    collector.isHeld = true;
    for (let n = 0; n < 512; n += 1) startRootSpan('first', {})!.end();
    await until(() => collector.spans.length === 512);
    for (let n = 0; n < 10_000; n += 1) startRootSpan('later', {})!.end();
    collector.release();
    await until(() => collector.named('later').length > 0);
    await endTracing();
    expect(collector.named('later')).toHaveLength(2_048);
  });

  it('are sent with the headers that the file of the setting has at the moment', async () => {
    let headers: string | null = 'authorization=Bearer%20first, x-tenant=acme=1,broken';
    const given = { url: `${collector.url}/v1/traces`, serviceName: 'the service', share: 1 };
    await startTracing({ ...given, headers: () => headers });
    startRootSpan('first', {})!.end();
    await until(() => collector.named('first').length === 1);
    headers = 'authorization=100% other';
    startRootSpan('second', {})!.end();
    await until(() => collector.named('second').length === 1);
    expect(collector.headers).toEqual([
      expect.objectContaining({ authorization: 'Bearer first', 'x-tenant': 'acme=1' }),
      expect.objectContaining({ authorization: '100% other' }),
    ]);
  });

  it('let the service end while the collector does not respond', async () => {
    await start();
    collector.isHeld = true;
    startRootSpan('GET', {})!.end();
    await endTracing();
    expect(collector.headers.length).toBeLessThanOrEqual(1);
  });
});
