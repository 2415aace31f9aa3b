import { describe, expect, it } from '@jest/globals';
import { issuedTokenIn } from './token-endpoint.client.js';

const bearer = { access_token: 'abc', token_type: 'bearer' };

describe('a token that was issued', () => {
  it('lasts as long as its server said, an hour if it said nothing, and 30 days at most', () => {
    expect(issuedTokenIn({ ...bearer, expires_in: 60 })).toEqual({ accessToken: 'abc', lifetimeSeconds: 60 });
    expect(issuedTokenIn(bearer)?.lifetimeSeconds).toBe(3_600);
    expect(issuedTokenIn({ ...bearer, expires_in: 1e300 })?.lifetimeSeconds).toBe(2_592_000);
  });

  it.each([
    ['of another type', { token_type: 'mac' }],
    ['with a line break', { access_token: 'a\nb' }],
    ['with a space', { access_token: 'a b' }],
    ['with another letter', { access_token: 'ä' }],
    ['that is empty', { access_token: '' }],
    ['of more than 16 KiB', { access_token: 'x'.repeat(16_385) }],
  ])('%s is not used', (_, more) => {
    expect(issuedTokenIn({ ...bearer, ...more })).toBeNull();
  });
});
