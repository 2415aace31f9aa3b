import { describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import type { AuthorizationServersClient } from './authorization-servers.client.js';
import type { StoredGrant } from './oauth-sign-in-grant-and-client.repository.js';
import { RefreshRefused, TokenEndpointClient } from './token-endpoint.client.js';

const issuer = 'https://as.example';
const grant = {
  metadata: { issuer, token_endpoint: `${issuer}/token` },
  client: { id: 'my-client', secret: 'a_secret', method: 'client_secret_basic', source: 'static' },
  resource: 'https://mcp.example/',
  refreshToken: 'old',
} as unknown as StoredGrant;

function refresh(status: number, body: string, headers: Record<string, string> = {}) {
  const sent: Headers[] = [];
  const fetchPatiently = async (_: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers));
    return new Response(body, { status, headers });
  };
  const servers = { fetchPatiently } as unknown as AuthorizationServersClient;
  return { sent, answer: new TokenEndpointClient(servers).refresh(grant, 'old') };
}

const TOKEN = '{"access_token":"a","token_type":"Bearer","refresh_token":null,"expires_in":"60"}';

describe('the refresh of a grant', () => {
  it.each([200, 201])('takes a token that comes with status %d', async (status) => {
    const { sent, answer } = refresh(status, TOKEN);
    expect(await answer).toEqual({ accessToken: 'a', lifetimeSeconds: 60, refreshToken: 'old' });
    expect(sent[0]!.get('authorization')).toBe(`Basic ${btoa('my-client:a_secret')}`);
  });

  it.each<[number, string, string]>([
    [400, '{"error":"invalid_grant"}', 'invalid_grant'],
    [400, '{"error":"token_expired","error_description":null}', 'token_expired'],
    [401, '{"error":"invalid_client"}', 'invalid_client'],
    [403, '<h1>Forbidden</h1>', 'HTTP 403'],
    [404, '', 'HTTP 404'],
    [410, '{"message":"gone"}', 'HTTP 410'],
    [200, '{"error":"bad_refresh_token"}', 'bad_refresh_token'],
  ])('that is answered with %d %s has ended', async (status, body, code) => {
    const error: unknown = await refresh(status, body).answer.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefreshRefused);
    expect(error).toMatchObject({ code });
  });

  it.each<[number, string]>([
    [408, ''],
    [429, '{"error":"slow_down"}'],
    [500, '{"error":"server_error"}'],
    [503, '<h1>Busy</h1>'],
    [200, '<h1>Maintenance</h1>'],
    [200, '{"token_type":"Bearer"}'],
  ])('that is answered with %d %s is tried again', async (status, body) => {
    await expect(refresh(status, body).answer).rejects.toBeInstanceOf(McpUnavailable);
  });
});
