import { describe, expect, it } from '@jest/globals';
import { refusalOf, SignInRefused } from './sign-in-refusal-reasons.js';

describe('refusalOf', () => {
  it.each<[string, object, string]>([
    ['the person who refuses', { error: 'access_denied' }, 'cancelled'],
    ['a wrong secret, by the word of OAuth', { error: 'invalid_client', status: 401 }, 'misconfigured'],
    [
      'a wrong secret, by HTTP alone',
      { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM', status: 401 },
      'misconfigured',
    ],
    ['a scope that the provider does not know', { error: 'invalid_scope' }, 'misconfigured'],
    ['a provider that is busy', { error: 'temporarily_unavailable' }, 'unavailable'],
    ['a server error', { error: 'server_error', status: 400 }, 'unavailable'],
    ['a gateway without a provider', { status: 502 }, 'unavailable'],
    ['an answer that no library can read', { code: 'OAUTH_RESPONSE_IS_NOT_JSON' }, 'unavailable'],
    ['any other error of the provider', { error: 'invalid_request' }, 'invalid'],
  ])('names %s', (_, error, reason) => {
    expect(refusalOf(error).reason).toBe(reason);
  });

  it('keeps a refusal, and no more of an error than its word', () => {
    const refusal = new SignInRefused('no_role');
    expect(refusalOf(refusal)).toBe(refusal);
    expect(refusalOf({ error: 'invalid_grant', message: 'code=secret' }).about).toEqual({
      error: 'invalid_grant',
    });
  });
});
