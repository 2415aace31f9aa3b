import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { aCertificate, type Certificate } from '../../../support/certificate.js';
import { useService } from '../../../support/service.js';
import { byHand, bySetting, plantEach, SECRET } from './fault.js';

const service = useService();
let folder = '';
let certificate: Certificate;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  certificate = await aCertificate(90);
  await writeFile(at('empty'), '');
  await writeFile(at('database-url'), service.databaseUrl);
  await writeFile(at('other-scheme'), `mysql://awp:${SECRET}@db/awp`);
});
afterAll(async () => {
  await certificate.remove();
  await rm(folder, { recursive: true, force: true });
});

const healthy = () => ({
  settings: {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.dataDir,
    PORT: new URL(service.baseUrl).port,
  },
});

describe('npm run doctor names a mistake in the settings, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'a misspelt setting',
      check: 'settings',
      level: 'warn',
      says: /^LEASE_SECOND is not a setting and is ignored$/,
      plant: () => ({ settings: { LEASE_SECOND: '60' } }),
      follow: bySetting({ LEASE_SECOND: '', LEASE_SECONDS: '60' }),
    },
    {
      fault: 'a setting by its old name',
      check: 'settings',
      level: 'warn',
      says: /^MCP_ALLOWED_HOSTS is now called OUTBOUND_ALLOWED_HOSTS$/,
      plant: () => ({ settings: { MCP_ALLOWED_HOSTS: 'intranet.example:443' } }),
      follow: bySetting({ MCP_ALLOWED_HOSTS: '', OUTBOUND_ALLOWED_HOSTS: 'intranet.example:443' }),
    },
    {
      fault: 'a value that is not allowed',
      check: 'settings',
      says: /LEASE_SECONDS: must be a whole number from 1 to 86400, not '-5'/,
      plant: () => ({ settings: { LEASE_SECONDS: '-5' } }),
      follow: bySetting({ LEASE_SECONDS: '5' }),
    },
    {
      fault: 'a URL with a password that is not percent-encoded',
      check: 'settings',
      says: /DATABASE_URL: must be a URL like .* percent-encoded \(@ is %40/,
      plant: () => ({ settings: { DATABASE_URL: `postgres://awp:p@/${SECRET}@127.0.0.1/awp` } }),
      follow: bySetting(() => ({ DATABASE_URL: service.databaseUrl })),
    },
    {
      fault: 'an sslmode that does not exist',
      check: 'settings',
      says: /DATABASE_URL: its sslmode must be one of disable, /,
      plant: () => ({ settings: { DATABASE_URL: withParameter('sslmode', 'allow') } }),
      follow: bySetting(() => ({ DATABASE_URL: withParameter('sslmode', 'disable') })),
    },
    {
      fault: 'a secret that is set twice',
      check: 'settings',
      says: /DATABASE_URL_FILE: and DATABASE_URL exclude each other; set one/,
      plant: () => ({ settings: { DATABASE_URL_FILE: at('database-url') } }),
      follow: bySetting({ DATABASE_URL: '' }),
    },
    {
      fault: 'a file of a secret that does not exist',
      check: 'settings',
      says: /DATABASE_URL_FILE: .*nowhere cannot be read \(ENOENT\)/,
      plant: () => ({ settings: { DATABASE_URL: '', DATABASE_URL_FILE: at('nowhere') } }),
      follow: bySetting(() => ({ DATABASE_URL_FILE: at('database-url') })),
    },
    {
      fault: 'a file of a secret that is empty',
      check: 'settings',
      says: /^DATABASE_URL_FILE: .* is empty$/,
      plant: () => ({ settings: { DATABASE_URL: '', DATABASE_URL_FILE: at('empty') } }),
      follow: byHand(/^Write the value into it/, () => writeFile(at('empty'), service.databaseUrl)),
    },
    {
      fault: 'a folder in the place of the file of a secret',
      check: 'settings',
      says: /^DATABASE_URL_FILE: .* is a folder$/,
      plant: () => ({ settings: { DATABASE_URL: '', DATABASE_URL_FILE: folder } }),
      follow: byHand(
        /^Name a file that holds the value alone/,
        bySetting(() => ({ DATABASE_URL_FILE: at('database-url') })),
      ),
    },
    {
      fault: 'a file with the URL of another database system',
      check: 'settings',
      says: /DATABASE_URL_FILE: must be a postgres:\/\/ URL/,
      plant: () => ({ settings: { DATABASE_URL: '', DATABASE_URL_FILE: at('other-scheme') } }),
      follow: () => writeFile(at('other-scheme'), service.databaseUrl),
    },
    {
      fault: 'a bucket without its settings',
      check: 'settings',
      says: /S3_BUCKET: is needed with ATTACHMENT_STORE=s3/,
      plant: () => ({
        settings: {
          ATTACHMENT_STORE: 's3',
          ...{ S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY_ID: 'awp', S3_SECRET_ACCESS_KEY: SECRET },
        },
      }),
      follow: bySetting({ ATTACHMENT_STORE: 'disk' }),
    },
    {
      fault: 'a certificate without its key',
      check: 'settings',
      says: /TLS_KEY_FILE: is needed with TLS_CERT_FILE/,
      plant: () => ({ settings: { TLS_CERT_FILE: certificate.certificate } }),
      follow: bySetting(() => ({ TLS_KEY_FILE: certificate.key })),
    },
    {
      fault: 'passwords that are turned off without a provider',
      check: 'settings',
      says: /PASSWORD_LOGIN: can be off only with OIDC_ISSUER/,
      plant: () => ({ settings: { PASSWORD_LOGIN: 'off' } }),
      follow: bySetting({ PASSWORD_LOGIN: 'on' }),
    },
    {
      fault: 'a key ring that is named twice',
      check: 'settings',
      says: /ENCRYPTION_KEYS: and ENCRYPTION_KEYRING_FILE exclude each other; set one/,
      plant: () => ({
        settings: {
          ENCRYPTION_KEYRING_FILE: join(service.dataDir, 'keyring.json'),
          ENCRYPTION_KEYS: `k1:${SECRET}`,
        },
      }),
      follow: bySetting({ ENCRYPTION_KEYS: '' }),
    },
    {
      fault: 'a tools host without an address',
      check: 'settings',
      says: /TOOLS_LISTEN: is needed with ROLE=tools/,
      plant: () => ({ settings: { ROLE: 'tools' } }),
      follow: bySetting({ TOOLS_LISTEN: '127.0.0.1:0' }),
    },
    {
      fault: 'plain HTTP from other hosts',
      check: 'settings',
      level: 'warn',
      says: /^HOST=0\.0\.0\.0 accepts plain HTTP from other hosts/,
      plant: () => ({ settings: { HOST: '0.0.0.0', PUBLIC_URL: service.baseUrl } }),
      follow: bySetting(() => certificate.settings),
    },
    {
      fault: 'no address for agents',
      check: 'settings',
      level: 'warn',
      says: /^PUBLIC_URL is not set while HOST=0\.0\.0\.0 listens on every address/,
      plant: () => ({ settings: { HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1' } }),
      follow: bySetting(() => ({ PUBLIC_URL: service.baseUrl })),
    },
  ]);
});

function withParameter(name: string, value: string): string {
  const url = new URL(service.databaseUrl);
  url.searchParams.set(name, value);
  return url.href;
}
