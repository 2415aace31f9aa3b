import { describe, expect, it } from '@jest/globals';
import type { EventCountersService } from '../journal/journal.service.js';
import { MetricsService, SampledValue } from './metrics.service.js';

const service = () => new MetricsService({ counts: new Map() } as unknown as EventCountersService);

describe('a sampled value', () => {
  it('is computed once per interval, for all that ask at the same time', async () => {
    let computed = 0;
    const value = new SampledValue(async () => (computed += 1), 60_000);
    expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1]);
    expect(await value.get()).toBe(1);
  });

  it('is absent from the moment on in which it cannot be computed, and there again when it can', async () => {
    let isAway = false;
    const compute = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1));
    const value = new SampledValue(compute, 0, 60_000);
    expect(await value.get()).toBe(1);
    isAway = true;
    expect(await value.get()).toBeNull();
    isAway = false;
    expect(await value.get()).toBe(1);
  });

  it('holds up no scrape, and stays for a while where the next one takes long', async () => {
    let isSlow = false;
    const never = new Promise<number>(() => undefined);
    const kept = new SampledValue(() => (isSlow ? never : Promise.resolve(1)), 0, 60_000);
    const strict = new SampledValue(() => never, 0);
    expect(await kept.get()).toBe(1);
    isSlow = true;
    expect(await Promise.all([kept.get(), strict.get()])).toEqual([1, null]);
  });
});

describe('the metrics', () => {
  it('leave out a gauge that has no value, also one without labels, whose reset would be 0', async () => {
    const metrics = service();
    const state: { value: number | null } = { value: 3 };
    metrics.gauge('awp_x', 'x', [], (gauge) => void (state.value !== null && gauge.set(state.value)));
    expect(await metrics.registry.metrics()).toMatch(/^awp_x 3$/m);
    state.value = null;
    expect(await metrics.registry.metrics()).not.toMatch(/^awp_x /m);
  });

  it('begin a counter with 0 for each value that is known, and count refusals with 429 alone', async () => {
    const metrics = service();
    expect(await metrics.registry.metrics()).toMatch(
      /^awp_throttled_requests_total\{code="quota_exceeded"\} 0$/m,
    );
    for (const [status, code] of [
      [429, 'quota_exceeded'],
      [403, 'forbidden'],
    ] as const)
      metrics.refused({ status, code } as Parameters<MetricsService['refused']>[0]);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^awp_throttled_requests_total\{code="quota_exceeded"\} 1$/m);
    expect(text).not.toContain('code="forbidden"');
  });
});
