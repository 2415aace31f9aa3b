import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from '../../support/worker/undici.cjs';
import { canary } from '../../support/canary.js';
import { someName } from '../../support/builders.js';
import { OWNER, useService, type Service } from '../../support/service.js';

const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const SECRET = canary('a-secret-for-the-test-1234567890');
const body = () =>
  JSON.stringify({ catalogId: 'linear', name: someName('t'), envValues: { LINEAR_API_KEY: SECRET } });

/** Installs a server with a credential at this address. */
async function install(service: Service, address: string, more: Record<string, string> = {}) {
  const headers = {
    authorization: `Bearer ${service.ownerKey}`,
    'content-type': 'application/json',
    ...more,
  };
  const answer = await request(`${address}/api/mcp/installed`, {
    method: 'POST',
    headers,
    body: body(),
    dispatcher: service.connections,
  });
  return {
    status: answer.statusCode,
    body: (await answer.body.json()) as { code?: string; configuredEnv?: string[] },
  };
}

const stored = async (service: Service) =>
  (
    await service.sql<{ rows: number }>(
      `SELECT (SELECT count(*) FROM installed_servers)::int + (SELECT count(*) FROM server_credentials)::int AS rows`,
    )
  )[0]!.rows;

/** A proxy that passes requests on with what it knows about its client, as nginx does. */
async function aProxy(
  target: string,
  protocol: 'http' | 'https',
): Promise<{ server: Server; address: string }> {
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-proto': protocol,
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-host': 'work.example.com',
    };
    const passed = httpRequest(target + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('installing a server with a credential', () => {
  let folder: string;
  const tls: Record<string, string> = { NODE_ENV: 'production', ENCRYPTION_KEYS };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awp-tls-'));
    [tls['TLS_KEY_FILE'], tls['TLS_CERT_FILE']] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const certificate = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2'];
    const files = ['-keyout', tls['TLS_KEY_FILE'], '-out', tls['TLS_CERT_FILE']];
    await promisify(execFile)('openssl', ['req', ...certificate, ...files]);
  });
  const direct = useService({ settings: tls });
  const behind = useService({
    settings: { TRUSTED_PROXIES: '127.0.0.1', NODE_ENV: 'production', ENCRYPTION_KEYS },
  });
  const exposed = useService({ settings: { HOST: '0.0.0.0' } });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('works over the service’s own TLS, to which the cookie of a login is bound', async () => {
    expect(direct.baseUrl).toMatch(/^https:/);
    expect(await install(direct, direct.baseUrl)).toMatchObject({
      status: 201,
      body: { configuredEnv: ['LINEAR_API_KEY'] },
    });
    const answer = await direct.owner.post('/api/auth/login', OWNER);
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-awp_session=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('works behind a trusted proxy that received HTTPS, and not behind one that received HTTP', async () => {
    const [https, http] = [await aProxy(behind.baseUrl, 'https'), await aProxy(behind.baseUrl, 'http')];
    try {
      expect(await install(behind, http.address)).toMatchObject({
        status: 403,
        body: { code: 'https_required' },
      });
      expect(await stored(behind)).toBe(0);
      expect(await install(behind, https.address)).toMatchObject({ status: 201 });
    } finally {
      https.server.close();
      http.server.close();
    }
  });

  it.each([{ 'X-Forwarded-Proto': 'https' }, { Forwarded: 'proto=https;for=127.0.0.1' }, {}] as Record<
    string,
    string
  >[])(
    'over plain HTTP from another address is refused, whatever header claims: %j; nothing is stored',
    async (headers) => {
      const outer = Object.values(networkInterfaces())
        .flat()
        .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
      const port = new URL(exposed.baseUrl).port;
      const forged = Object.keys(headers).length > 0;
      const hosts = [...(forged ? ['127.0.0.1', '127.0.0.2'] : []), ...(outer ? [outer] : [])];
      for (const host of hosts)
        expect(await install(exposed, `http://${host}:${port}`, headers)).toMatchObject({
          status: 403,
          body: { code: 'https_required' },
        });
      expect(await stored(exposed)).toBe(0);
      expect(exposed.log).not.toContain(SECRET);
    },
  );
});
