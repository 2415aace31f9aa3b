import { describe, expect, it } from '@jest/globals';
import { requestIdFrom } from './request-id-and-traceparent.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('requestIdFrom', () => {
  it.each(['a', 'trace-1.2~3_X', 'x'.repeat(128)])('takes the token %s', (token) => {
    expect(requestIdFrom(token)).toBe(token);
  });

  it.each([undefined, '', ' a', 'a b', 'a\n', 'x'.repeat(129), 'ä', '"a"', ['a', 'b']])(
    'makes a new one for %j',
    (header) => {
      expect(requestIdFrom(header)).toMatch(UUID_V7);
      expect(requestIdFrom(header)).not.toBe(requestIdFrom(header));
    },
  );
});
