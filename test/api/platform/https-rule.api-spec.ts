import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from '../../support/worker/undici.cjs';
import { someName } from '../../support/builders.js';
import { anonymous } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService, type Service } from '../../support/service.js';

const refusedForHttp = refused(403, 'https_required');
const makeKey = (service: Service, headers: Record<string, string> = {}) =>
  service.owner.post('/api/auth/keys', { name: 'secret' }, { headers });
const SPOOFS: Record<string, string>[] = [
  { 'X-Forwarded-Proto': 'https' },
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Forwarded-Host': 'localhost' },
  { Forwarded: 'for=127.0.0.1;proto=https' },
];

describe('a request that carries a secret', () => {
  const service = useService({ settings: { HOST: '0.0.0.0' } });
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  it('is accepted from this host over plain HTTP', async () => {
    expect((await makeKey(service)).status).toBe(201);
  });

  it.each(SPOOFS)(
    'is refused with a header that only a proxy sends, whatever that claims: %j',
    async (headers) => {
      const answer = await makeKey(service, headers);
      expect(answer).toMatchObject(refusedForHttp);
      for (const setting of ['TLS_CERT_FILE', 'TRUSTED_PROXIES', 'ALLOW_HTTP_ON_LOOPBACK'])
        expect(answer.body.detail).toContain(setting);
    },
  );

  it.each([
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/password'],
    ['POST', '/api/auth/keys'],
    ['POST', '/api/users/x/keys'],
    ['POST', '/api/agents'],
    ['POST', '/api/agents/x/keys'],
    ['POST', '/api/mcp/installed'],
    ['PUT', '/api/mcp/installed/x'],
    ['POST', '/api/webhooks'],
    ['POST', '/api/webhooks/x/rotate-secret'],
  ])('is rejected before any other check: %s %s', async (method, path) => {
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    expect(await anonymous(service).request(method, path, { rawBody: '{', headers })).toMatchObject(
      refusedForHttp,
    );
  });

  it('is a request that creates a user with a password, and not one without', async () => {
    const user = { email: `${someName('u').replace(' ', '')}@example.com`, name: 'x', role: 'Viewer' };
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    expect(
      await service.owner.post('/api/users', { ...user, password: 'long enough' }, { headers }),
    ).toMatchObject(refusedForHttp);
    const made = await service.owner.post('/api/users', user, { headers });
    expect(made.status).toBe(201);
    expect(
      await service.owner.put(`/api/users/${made.body.id}`, { password: 'long enough!' }, { headers }),
    ).toMatchObject(refusedForHttp);
    expect((await service.owner.put(`/api/users/${made.body.id}`, { name: 'y' }, { headers })).status).toBe(
      200,
    );
  });

  it('accepts a request without a secret', async () => {
    expect(
      (await service.owner.get('/api/auth/keys', { headers: { 'X-Forwarded-For': '192.0.2.1' } })).status,
    ).toBe(200);
  });

  (outer ? it : it.skip)('is refused from another address than loopback', async () => {
    const url = new URL('/api/auth/keys', service.baseUrl);
    url.hostname = outer!;
    const headers = { authorization: `Bearer ${service.ownerKey}`, 'content-type': 'application/json' };
    const answer = await request(url, {
      method: 'POST',
      headers,
      body: '{"name":"x"}',
      dispatcher: service.connections,
    });
    expect(answer.statusCode).toBe(403);
    expect(await answer.body.json()).toMatchObject({ code: 'https_required' });
  });
});

describe('behind a trusted proxy', () => {
  const settings = { TRUSTED_PROXIES: '127.0.0.0/8', ALLOW_HTTP_ON_LOOPBACK: 'false' };
  const service = useService({ settings });

  it('accepts what the proxy received over HTTPS', async () => {
    expect(
      (await makeKey(service, { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '198.51.100.7' })).status,
    ).toBe(201);
  });

  it.each<Record<string, string>>([
    { 'X-Forwarded-Proto': 'http' },
    { 'X-Forwarded-Proto': 'http, https' },
    { 'X-Forwarded-For': '198.51.100.7' },
    {},
  ])('rejects what the proxy did not receive over HTTPS: %j', async (headers) => {
    expect(await makeKey(service, headers)).toMatchObject(refusedForHttp);
  });

  it('records the client address that the proxy itself has seen', async () => {
    const forwarded = {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '203.0.113.9, 198.51.100.7, 127.0.0.2',
    };
    const { body } = await makeKey(service, forwarded);
    expect(await service.sql('SELECT origin FROM journal WHERE subject_id = $1', [body.id])).toEqual([
      { origin: '198.51.100.7' },
    ]);
  });
});

describe('in production', () => {
  const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const service = useService({ settings: { NODE_ENV: 'production', ENCRYPTION_KEYS } });

  it('rejects a secret over plain HTTP from loopback', async () => {
    expect(await makeKey(service)).toMatchObject(refusedForHttp);
  });
});

describe('with a certificate of its own', () => {
  let folder: string;
  const settings: Record<string, string> = {
    NODE_ENV: 'production',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awp-tls-'));
    [settings['TLS_KEY_FILE'], settings['TLS_CERT_FILE']] = [
      join(folder, 'key.pem'),
      join(folder, 'cert.pem'),
    ];
    const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2'];
    await promisify(execFile)('openssl', [
      'req',
      ...options,
      '-keyout',
      settings['TLS_KEY_FILE'],
      '-out',
      settings['TLS_CERT_FILE'],
    ]);
  });
  const service = useService({ settings });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('serves HTTPS and accepts secrets', async () => {
    expect(service.baseUrl).toMatch(/^https:/);
    const answer = await makeKey(service);
    expect(answer.status).toBe(201);
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=/);
  });
});
