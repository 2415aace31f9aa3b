import { describe, expect, it } from '@jest/globals';
import { errorsOf, remote, token } from '../../../test/support/catalog-entries.js';

const SECRET = '{env:TOKEN}';

function withOauth(oauth: object, headers: object = {}): object {
  const entry = remote('https://acme.example/mcp', headers, [token]);
  return { ...entry, manifest: { ...entry.manifest, oauth } };
}

describe('oauth of a remote entry', () => {
  it.each<[string, object]>([
    ['without a client', { grant: 'authorization_code' }],
    ['with a public client', { grant: 'authorization_code', clientId: 'awp', scope: 'tools' }],
    ['with an issuer', { grant: 'authorization_code', issuer: 'https://login.acme.example' }],
    ['with a client and its secret', { grant: 'authorization_code', clientId: 'awp', clientSecret: SECRET }],
    ['of a client of its own', { grant: 'client_credentials', clientId: 'awp', clientSecret: SECRET }],
  ])('%s has no errors', (_, oauth) => {
    expect(errorsOf(withOauth(oauth))).toEqual([]);
  });

  it.each<[string, object, string, RegExp]>([
    ['a secret without a client', { clientSecret: SECRET }, 'manifest.oauth', /clientId beside/],
    ['a private key of a person', { clientId: 'awp', privateKey: SECRET }, 'manifest.oauth', /privateKey/],
    [
      'a secret in the entry',
      { clientId: 'awp', clientSecret: 'x' },
      'manifest.oauth.clientSecret',
      /secret/,
    ],
    ['an undeclared variable', { clientId: '{env:NOPE}' }, 'manifest.oauth.clientId', /NOPE/],
    [
      'client credentials without a client',
      { grant: 'client_credentials', clientSecret: SECRET },
      'manifest.oauth',
      /clientId/,
    ],
    [
      'client credentials with two secrets',
      { grant: 'client_credentials', clientId: 'awp', clientSecret: SECRET, privateKey: SECRET },
      'manifest.oauth',
      /either/,
    ],
  ])('rejects %s', (_, oauth, path, message) => {
    const file = withOauth({ grant: 'authorization_code', ...oauth });
    expect(errorsOf(file)).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it('rejects a header Authorization beside it', () => {
    const file = withOauth({ grant: 'authorization_code' }, { authorization: 'Bearer x' });
    expect(errorsOf(file)).toContainEqual({
      path: 'manifest.headers',
      message: expect.stringMatching(/Authorization/),
    });
  });
});
