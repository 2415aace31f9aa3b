import { describe, expect, it } from '@jest/globals';
import { textErrorsIn } from './text-and-instant-rules.js';

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));

describe('an object in a body', () => {
  it('may have 1,000 fields', () => {
    expect(textErrorsIn({ inner: [fields(1_000)] })).toEqual([]);
  });

  it('is rejected by its path with more fields, before it is transformed', () => {
    const message = 'may have at most 1000 fields, not 70000';
    expect(textErrorsIn(fields(70_000))).toEqual([{ path: '', message }]);
    expect(textErrorsIn({ inner: [fields(70_000)] })).toEqual([{ path: 'inner[0]', message }]);
  });
});
