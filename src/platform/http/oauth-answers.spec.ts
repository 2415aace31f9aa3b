import { describe, expect, it } from '@jest/globals';
import { basicCredentials, lenient, type OauthAnswer } from './oauth-answers.js';

async function answered(
  kind: OauthAnswer,
  body: unknown,
  status = 200,
  init: RequestInit = {},
  type?: string,
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': type ?? 'application/json', 'content-length': '1' };
  const response = await lenient(async () => new Response(text, { status, headers }), kind)(
    'http://as',
    init,
  );
  const read = await response.text();
  return { status: response.status, body: read.startsWith('{') ? JSON.parse(read) : read };
}

const TOKEN = { access_token: 'a', token_type: 'Bearer' };

describe('the answer of a token endpoint', () => {
  it.each([200, 201, 202, 203])('is a success with status %d', async (status) => {
    expect(await answered('token', TOKEN, status)).toEqual({ status: 200, body: TOKEN });
  });

  it('counts null members as absent, and keeps those that the service does not know', async () => {
    const nulls = { refresh_token: null, expires_in: null, scope: null, id_token: null };
    expect((await answered('token', { ...TOKEN, ...nulls, team: { id: null } })).body).toEqual({
      ...TOKEN,
      team: { id: null },
    });
  });

  it.each<[unknown, unknown]>([
    ['read write', 'read write'],
    [['read', 'write'], 'read write'],
    [{ read: true }, undefined],
  ])('may have the scope %j', async (scope, text) => {
    expect((await answered('token', { ...TOKEN, scope })).body.scope).toBe(text);
  });

  it.each<[unknown, number | undefined]>([
    [60, 60],
    ['60', 60],
    [0, 0],
    [-1, undefined],
    ['soon', undefined],
    [{}, undefined],
  ])('may say that it lasts %j seconds', async (seconds, lasts) => {
    expect((await answered('token', { ...TOKEN, expires_in: seconds })).body.expires_in).toBe(lasts);
  });

  it('is a refusal where an error comes with 200', async () => {
    expect(await answered('token', { error: 'invalid_grant' })).toEqual({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('keeps a status that is no success, a page of a proxy, and an empty answer', async () => {
    expect(await answered('token', { error: 'invalid_client', error_uri: null }, 401)).toEqual({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await answered('token', '<h1>Bad gateway</h1>', 502, {}, 'text/html')).toEqual({
      status: 502,
      body: '<h1>Bad gateway</h1>',
    });
    expect(await answered('token', '')).toEqual({ status: 200, body: '' });
  });
});

describe('the answer to a registration', () => {
  const init = { body: JSON.stringify({ redirect_uris: ['http://here/back'] }) };

  it('has the redirect URIs that were sent where it names none', async () => {
    const answer = { client_id: 'c', client_secret: null, redirect_uris: null, contacts: null, logo_uri: '' };
    expect(await answered('registration', answer, 200, init)).toEqual({
      status: 201,
      body: { client_id: 'c', redirect_uris: ['http://here/back'], client_secret_expires_at: 0 },
    });
  });

  it('keeps its own redirect URIs, and the end of its secret also as text', async () => {
    const answer = {
      client_id: 'c',
      redirect_uris: ['http://there'],
      client_secret_expires_at: '5000000000',
    };
    expect((await answered('registration', answer, 201, init)).body).toMatchObject({
      redirect_uris: ['http://there'],
      client_secret_expires_at: 5_000_000_000,
    });
  });
});

describe('metadata', () => {
  it('of an authorization server need only what is used', async () => {
    const issuer = 'https://as.example/tenant';
    const { body } = await answered('issuer', {
      issuer,
      token_endpoint: 'https://as.example/token',
      registration_endpoint: null,
      scopes_supported: 'read write',
      service_documentation: 5,
      code_challenge_methods_supported: ['S256', null],
    });
    expect(body).toMatchObject({
      issuer,
      response_types_supported: ['code'],
      scopes_supported: ['read', 'write'],
      code_challenge_methods_supported: ['S256'],
    });
    expect(body).not.toHaveProperty('registration_endpoint');
    expect(body).not.toHaveProperty('service_documentation');
  });

  it('of a resource need only what is used', async () => {
    const answer = {
      resource: 'https://mcp.example',
      authorization_servers: 'https://as.example',
      jwks_uri: 1,
    };
    expect((await answered('resource', answer)).body).toEqual({
      resource: 'https://mcp.example',
      authorization_servers: ['https://as.example'],
    });
  });
});

describe('client credentials in HTTP Basic', () => {
  it.each([
    ['my-client_1.a~b', 's-3_c.r~t', 'my-client_1.a~b:s-3_c.r~t'],
    ['a:b', 'c d', 'a%3Ab:c+d'],
    ['ä', "100%!'()*+/=", '%C3%A4:100%25%21%27%28%29%2A%2B%2F%3D'],
  ])('of %s are encoded only where they hold a character outside unreserved', (id, secret, plain) => {
    expect(Buffer.from(basicCredentials(id, secret).slice(6), 'base64').toString()).toBe(plain);
  });
});
