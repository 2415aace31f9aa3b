import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { checkDatabaseFiles } from './database-tls.js';
import { loadSettings } from './load-settings.js';
import { SettingsError } from './setting-rules.js';

const SECRET = 'hunter2-hunter2';
const at = (host: string, query = '') => `postgres://awp:${SECRET}@${host}/awp${query}`;
const warningsOf = (environment: Record<string, string>) => loadSettings(environment).warnings;

/** What node-postgres makes of a URL: without TLS, with TLS and no check, or with a checked certificate. */
function tlsOf(url: string | null): 'plain' | 'unchecked' | 'checked' {
  const { ssl } = new Client({ connectionString: url! }) as unknown as {
    ssl?: boolean | { rejectUnauthorized?: boolean };
  };
  if (!ssl) return 'plain';
  return ssl !== true && ssl.rejectUnauthorized === false ? 'unchecked' : 'checked';
}

describe('the TLS of a database', () => {
  it.each([
    ['', 'plain'],
    ['?sslmode=disable', 'plain'],
    ['?ssl=0', 'plain'],
    ['?sslmode=no-verify', 'unchecked'],
    ['?ssl=no-verify', 'unchecked'],
    ['?sslmode=prefer&uselibpqcompat=true', 'unchecked'],
    ['?sslmode=require&uselibpqcompat=true', 'unchecked'],
    ['?sslmode=prefer', 'checked'],
    ['?sslmode=require', 'checked'],
    ['?application_name=x&sslmode=verify-ca', 'checked'],
    ['?sslmode=verify-full', 'checked'],
    ['?ssl=true', 'checked'],
    ['?sslnegotiation=direct', 'checked'],
  ])('with %j is %s, and its password is warned of where it is plain', (query, tls) => {
    const { databaseUrl, databaseDirectUrl, warnings } = loadSettings({ DATABASE_URL: at('db', query) });
    expect([tlsOf(databaseUrl), tlsOf(databaseDirectUrl)]).toEqual([tls, tls]);
    expect(warnings).toEqual(
      tls === 'plain' ? [expect.stringMatching(/^DATABASE_URL leads to another host without TLS/)] : [],
    );
    expect(warnings.join()).not.toContain(SECRET);
  });

  it('is written as what it means, whichever version of node-postgres reads it', () => {
    for (const mode of ['prefer', 'require', 'verify-ca'])
      expect(loadSettings({ DATABASE_URL: at('db', `?sslmode=${mode}&ssl=1`) }).databaseUrl).toBe(
        at('db', '?sslmode=verify-full&ssl=1'),
      );
    for (const query of ['?sslmode=require&uselibpqcompat=true', '?sslmode=no-verify', '?sslmode=disable'])
      expect(loadSettings({ DATABASE_URL: at('localhost', query) }).databaseUrl).toBe(at('localhost', query));
  });

  it('is not needed on this host, or where there is no password', () => {
    for (const host of ['127.0.0.1:5432', 'localhost', '[::1]:5432', '', '%2Frun%2Fpostgresql'])
      expect(warningsOf({ DATABASE_URL: at(host) })).toEqual([]);
    expect(warningsOf({ DATABASE_URL: at('db', '?host=/run/postgresql') })).toEqual([]);
    expect(warningsOf({ DATABASE_URL: 'postgres://awp@db/awp' })).toEqual([]);
  });

  it('counts what node-postgres reads from the environment', () => {
    const url = 'postgres://awp@db/awp';
    expect(warningsOf({ DATABASE_URL: url, PGPASSWORD: SECRET })).toHaveLength(1);
    expect(warningsOf({ DATABASE_URL: url, PGPASSWORD: SECRET, PGSSLMODE: 'verify-full' })).toEqual([]);
    expect(warningsOf({ DATABASE_URL: url, PGPASSWORD: SECRET, PGSSLMODE: 'verifyfull' })).toHaveLength(1);
    expect(warningsOf({ DATABASE_URL: at(''), PGHOST: 'db' })).toHaveLength(1);
  });

  it('is that of each of the two ways', () => {
    const DATABASE_DIRECT_URL = at('db');
    expect(warningsOf({ DATABASE_URL: at('pooler', '?sslmode=verify-full'), DATABASE_DIRECT_URL })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL leads/),
    ]);
  });

  it.each([
    ['?sslmode=allow', /sslmode must be one of disable, .*no-verify$/],
    ['?sslmode=', /sslmode must be one of/],
    ['?sslmode=Require', /sslmode must be one of/],
    ['?ssl=false', /parameter ssl must be true, 1, 0 or no-verify/],
    ['?sslmode=require&sslkey=/x', /sslcert and sslkey need each other/],
    ['?sslmode=verify-ca&uselibpqcompat=true', /sslmode=verify-ca needs sslrootcert/],
    ['?sslmode=no-verify&uselibpqcompat=true', /sslmode=no-verify has no meaning/],
  ])('is refused with %j, in both settings and without their values', (query, text) => {
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
      const load = () => loadSettings({ DATABASE_URL: at('db'), [name]: at('db', query) });
      expect(load).toThrow(SettingsError);
      expect(load).toThrow(new RegExp(`^  ${name}: its ${text.source}`, 'm'));
      expect(load).not.toThrow(SECRET);
    }
  });
});

describe('the files of TLS that the URL of a database names', () => {
  let folder = '';
  const file = (name: string) => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'awp-database-tls-'));
    for (const name of ['one', 'two'])
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
          ...['-days', '1', '-subj', '/CN=db', '-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)],
        ],
        { stdio: 'ignore' },
      );
    writeFileSync(file('text'), 'no certificate');
    writeFileSync(file('broken'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const check = (query: string, name = 'DATABASE_URL') =>
    checkDatabaseFiles(loadSettings({ DATABASE_URL: at('db'), [name]: at('db', query) }));

  it('are accepted when they are what they should be', () => {
    check(`?sslrootcert=${file('one.crt')}&sslcert=${file('two.crt')}&sslkey=${file('two.key')}`);
    check('?sslmode=verify-full');
  });

  it.each([
    ['sslrootcert=no-such-file', /sslrootcert cannot be read \(ENOENT\)\. Name an existing file/],
    ['sslrootcert=.', /sslrootcert cannot be read \(EISDIR\)\. Name/],
    ['sslrootcert=text', /sslrootcert is not a certificate in PEM format\. Name a file/],
    ['sslrootcert=broken', /sslrootcert is not a certificate in PEM format/],
    ['sslcert=text&sslkey=one.key', /sslcert is not a certificate in PEM format/],
    ['sslcert=one.crt&sslkey=two.key', /sslkey is not the private key of its sslcert .*\. Name two/],
    ['sslcert=one.crt&sslkey=gone', /sslkey cannot be read \(ENOENT\)/],
  ])('are refused with %s, with 78 and the name of the setting', (parameters, text) => {
    const query = `?${parameters.replaceAll('=', `=${folder}/`)}`;
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
      expect(() => check(query, name)).toThrow(SettingsError);
      expect(() => check(query, name)).toThrow(new RegExp(`^${name}: the file of its ${text.source}`));
      expect(() => check(query, name)).toThrow(expect.objectContaining({ exitCode: 78 }));
      expect(() => check(query, name)).not.toThrow(SECRET);
    }
  });
});
