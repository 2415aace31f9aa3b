import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { aCertificate, type Certificate } from '../../../support/certificate.js';
import { useService } from '../../../support/service.js';
import { byHand, bySetting, plantEach } from './fault.js';
import { Forwarding } from './forwarding.js';

const settings: Record<string, string> = {};
const service = useService({ settings });
const certificates: Record<string, Certificate> = {};
let folder = '';
let forwarding: Forwarding;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  for (const [name, days, names] of [
    ['good', 90, 'IP:127.0.0.1'],
    ['expired', -1, 'IP:127.0.0.1'],
    ['soon', 10, 'IP:127.0.0.1'],
    ['other', 90, 'DNS:awp.example.com'],
  ] as const)
    certificates[name] = await aCertificate(days, names);
  forwarding = new Forwarding(certificates['good']!);
  await forwarding.listen(
    'hello',
    createServer((_, response) => void response.end('hello')),
  );
  await forwarding.listen('registry', createServer(answerAsRegistry));
  await forwarding.secureProxy('proxy', () => service.baseUrl, {
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-proto': 'https',
  });
});
afterAll(async () => {
  forwarding.close();
  for (const certificate of Object.values(certificates)) await certificate.remove();
  await rm(folder, { recursive: true, force: true });
});

function answerAsRegistry(_: IncomingMessage, response: ServerResponse): void {
  const name = '@modelcontextprotocol/server-memory';
  const versions = { '1.0.0': { name, version: '1.0.0', dist: { tarball: 'http://x/x.tgz', shasum: '0' } } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }));
}

/** Before the first start. */
const fresh = () => ({ settings: { DATA_DIR: at('data') } });

describe('npm run doctor names what is wrong with the certificate, and its fix works:', () => {
  const renew = byHand(/^renew the certificate and put it in place/, () => copyTo('place'));
  plantEach(fresh, [
    {
      fault: 'one that has expired',
      check: 'TLS',
      says: /^the certificate expired on \w{3} .*GMT$/,
      plant: () => inPlace('expired'),
      follow: renew,
    },
    {
      fault: 'one that expires soon',
      check: 'TLS',
      level: 'warn',
      says: /^valid for (9|10) more days$/,
      plant: () => inPlace('soon'),
      follow: renew,
    },
    {
      fault: 'the key of another one',
      check: 'TLS',
      says: /^TLS_KEY_FILE is not the key of TLS_CERT_FILE$/,
      plant: () => ({
        settings: { ...certificates['good']!.settings, TLS_KEY_FILE: certificates['other']!.key },
      }),
      follow: byHand(
        'name two files that belong together',
        bySetting(() => ({ TLS_KEY_FILE: certificates['good']!.key })),
      ),
    },
    {
      fault: 'one that does not exist',
      check: 'TLS',
      says: /^TLS_CERT_FILE \(.*\/nowhere\) cannot be read \(ENOENT\)$/,
      plant: () => ({ settings: { ...certificates['good']!.settings, TLS_CERT_FILE: at('nowhere') } }),
      follow: byHand(
        /or set TLS_CERT_FILE$/,
        bySetting(() => ({ TLS_CERT_FILE: certificates['good']!.certificate })),
      ),
    },
    {
      fault: 'one in another format',
      check: 'TLS',
      says: /^TLS_CERT_FILE \(.*\/der\) is not in PEM format without a passphrase$/,
      plant: async () => {
        await writeFile(at('der'), Buffer.from([0x30, 0x82, 0x01, 0x0a]));
        return { settings: { ...certificates['good']!.settings, TLS_CERT_FILE: at('der') } };
      },
      follow: byHand(
        'name a PEM file in TLS_CERT_FILE',
        bySetting(() => ({ TLS_CERT_FILE: certificates['good']!.certificate })),
      ),
    },
    {
      fault: 'one of another host',
      check: 'TLS',
      level: 'warn',
      says: /^the certificate is not for 127\.0\.0\.1, the host of PUBLIC_URL \(it is for DNS:awp\.example\.com\)$/,
      plant: () => ({
        settings: { ...certificates['other']!.settings, PUBLIC_URL: 'https://127.0.0.1:3999' },
      }),
      follow: byHand(
        /^set TLS_CERT_FILE and TLS_KEY_FILE to a certificate for that host/,
        bySetting(() => certificates['good']!.settings),
      ),
    },
    {
      fault: 'a host whose clock is behind',
      check: 'TLS',
      says: /^the certificate is valid only from \w{3} .*GMT$/,
      plant: () => ({
        settings: { ...certificates['good']!.settings, CLOCK_AHEAD_SECONDS: '-3000000' },
        way: { node: ['--import', resolve(import.meta.dirname, '../../../support/shifted-clock.mjs')] },
      }),
      follow: byHand('check the clock of this host', () => ({ way: { node: [] } })),
    },
    {
      fault: 'none in production',
      check: 'TLS',
      level: 'warn',
      says: /^none, and no proxy is trusted: requests that carry a secret are refused$/,
      plant: () => ({
        settings: {
          NODE_ENV: 'production',
          ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString('base64')}`,
        },
      }),
      follow: byHand(
        /^set TLS_CERT_FILE and TLS_KEY_FILE/,
        bySetting(() => certificates['good']!.settings),
      ),
    },
  ]);

  async function inPlace(name: string) {
    await copyTo('place', name);
    return { settings: { TLS_CERT_FILE: at('place.crt'), TLS_KEY_FILE: at('place.key') } };
  }

  async function copyTo(place: string, name = 'good'): Promise<void> {
    await copyFile(certificates[name]!.certificate, at(`${place}.crt`));
    await copyFile(certificates[name]!.key, at(`${place}.key`));
  }
});

describe('npm run doctor names what is wrong with the way to the service, and its fix works:', () => {
  const running = () => ({
    settings: {
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: service.dataDir,
      PORT: new URL(service.baseUrl).port,
    },
  });
  const correct = byHand(
    /^set PUBLIC_URL to the address of the service or of the proxy in front of it/,
    bySetting(() => ({ PUBLIC_URL: service.baseUrl })),
  );
  plantEach(running, [
    {
      fault: 'a public address where nothing listens',
      check: 'public URL',
      level: 'warn',
      says: /^http:\/\/127\.0\.0\.1:1 does not lead anywhere from this host \(\w+\)$/,
      plant: () => ({ settings: { PUBLIC_URL: 'http://127.0.0.1:1' } }),
      follow: correct,
    },
    {
      fault: 'the public address of another program',
      check: 'public URL',
      level: 'warn',
      says: /is answered by something else than this service \(200\)$/,
      plant: () => ({ settings: { PUBLIC_URL: forwarding.urlOf('hello') } }),
      follow: correct,
    },
    {
      fault: 'a proxy that is not trusted',
      check: 'public URL',
      says: /reach the service as plain HTTP, which it refuses where they carry a secret$/,
      plant: () => ({
        settings: {
          PUBLIC_URL: forwarding.urlOf('proxy', 'https'),
          NODE_EXTRA_CA_CERTS: certificates['good']!.certificate,
        },
      }),
      follow: byHand(/^set TRUSTED_PROXIES to the address of the proxy/, async () => {
        Object.assign(settings, { TRUSTED_PROXIES: '127.0.0.1', PORT: new URL(service.baseUrl).port });
        await service.stop();
        await service.start();
        return { settings: { TRUSTED_PROXIES: '127.0.0.1' } };
      }),
    },
    {
      fault: 'a certificate of the proxy that no one knows',
      check: 'public URL',
      level: 'warn',
      says: /^the certificate at https:\/\/127\.0\.0\.1:\d+ is not trusted on this host \(\w+\)$/,
      plant: () => ({
        settings: { PUBLIC_URL: forwarding.urlOf('proxy', 'https'), TRUSTED_PROXIES: '127.0.0.1' },
      }),
      follow: byHand(
        /or name its authority with NODE_EXTRA_CA_CERTS/,
        bySetting(() => ({ NODE_EXTRA_CA_CERTS: certificates['good']!.certificate })),
      ),
    },
  ]);
});

describe('npm run doctor names what keeps npm from its registry, and its fix works:', () => {
  plantEach(fresh, [
    {
      fault: 'a registry that is away',
      check: 'registry',
      level: 'warn',
      says: /^npm does not reach it \(ECONNREFUSED\)$/,
      plant: () => ({
        settings: { PATH: process.env['PATH']!, npm_config_registry: 'http://127.0.0.1:1' },
      }),
      follow: byHand(
        /set npm_config_registry to a mirror/,
        bySetting(() => ({ npm_config_registry: forwarding.urlOf('registry') })),
      ),
    },
  ]);
});
