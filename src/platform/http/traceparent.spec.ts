import { describe, expect, it } from '@jest/globals';
import { nextTraceparent, traceIdOf, traceparentFrom } from './request-id-and-traceparent.js';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const sound = `00-${trace}-00f067aa0ba902b7-01`;

describe('traceparent', () => {
  it('is read when it is valid', () => {
    expect(traceparentFrom(sound)).toBe(sound);
    expect(traceIdOf(sound)).toBe(trace);
  });

  it.each([
    undefined,
    '',
    'x',
    `01-${trace}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `${sound}\n`,
    sound.toUpperCase(),
    [sound],
  ])('is ignored when it is %j', (header) => {
    expect(traceparentFrom(header)).toBeNull();
  });

  it('continues in the same trace with a parent id of its own', () => {
    const next = nextTraceparent(sound);
    expect(traceparentFrom(next)).toBe(next);
    expect(next).not.toBe(sound);
    expect(traceIdOf(next)).toBe(trace);
  });
});
