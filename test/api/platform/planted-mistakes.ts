import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNFINISHED_RESTORE } from '../../../src/platform/start/data-folder-clock-and-descriptor-checks.js';
import { refusing, serverThat, speakingHttp, versioned, withoutTls } from '../../support/fake-postgres.js';
import { hasSmallDisks, SmallDisk } from '../../support/small-disk.js';

/** A secret in settings, which no message may contain. */
export const SECRET = 'hunter2-hunter2';
const NOBODY = 65_534;
const RING_MODE = 0o600;
/** The major version of the embedded PostgreSQL. */
const SHIPPED = 18;
const isRoot = process.getuid?.() === 0;

/** A mistake of an operator: the settings of a start that must not succeed. */
export interface Mistake {
  settings: Record<string, string>;
  /** Another user than that of the test. */
  uid?: number | undefined;
  /** A mistake that the start warns of: a port in use, planted beside it, ends the start. */
  isWarning?: true;
}

/** The database and data folder of a service, for mistakes that show after a connection. */
export interface Used {
  databaseUrl: string;
  emptyDatabaseUrl: string;
  /** Of a database that a later version has migrated, and that needs it. */
  laterDatabaseUrl: string;
}

/** The files and servers that the mistakes need. */
export class Plantation {
  private readonly folder = mkdtempSync(join(tmpdir(), 'awp-mistakes-'));
  private readonly servers: Server[] = [];
  private readonly disk = hasSmallDisks ? SmallDisk.of(4) : null;
  private readonly ports: Record<string, number> = {};

  async make(): Promise<void> {
    await chmod(this.folder, 0o755);
    await this.makeFiles();
    await this.makeServers();
    if (this.disk) execFileSync('mount', ['-o', 'remount,ro', this.disk.folder]);
  }

  remove(): void {
    for (const server of this.servers) server.close();
    this.disk?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Mistakes that a start finds before it opens a database. */
  early(): Record<string, Mistake> {
    const at = this.at;
    const taken = { PORT: `${this.ports['taken']}` };
    const warned = (settings: Record<string, string>): Mistake => ({
      settings: { ...settings, ...taken },
      isWarning: true,
    });
    return {
      'a port in use': { settings: taken },
      'a `HOST` of another machine': { settings: { HOST: '192.0.2.1' } },
      'a `DATA_DIR` that is a file, or lies below one': { settings: { DATA_DIR: at('a-file', 'data') } },
      'a `DATA_DIR` of another user': {
        settings: { DATA_DIR: at('private', 'data') },
        uid: isRoot ? NOBODY : undefined,
      },
      'a `DATA_DIR` where no folder can be made': { settings: { DATA_DIR: '/proc/data' } },
      ...(this.disk && {
        'a `DATA_DIR` on a read-only disk': { settings: { DATA_DIR: join(this.disk.folder, 'data') } },
      }),
      'a data folder that was copied into itself': { settings: { DATA_DIR: at('nested') } },
      'a restore that did not finish': { settings: { DATA_DIR: at('unfinished') } },
      'a wrong password': { settings: this.database('28P01') },
      'a PostgreSQL that demands TLS': { settings: this.database('28000') },
      'a database that is lost during the start': { settings: this.database('lost') },
      'an embedded database that others can enter': { settings: { DATA_DIR: at('entered') } },
      'a database that does not exist': { settings: this.database('3D000') },
      'a database server that is down': { settings: { DATABASE_URL: urlAt('127.0.0.1:1') } },
      'a host name that does not exist': { settings: { DATABASE_URL: urlAt('nowhere.invalid') } },
      'another kind of server': { settings: this.database('http') },
      'a PostgreSQL that is too old': { settings: this.database('old') },
      'a standby as the database': { settings: this.database('standby') },
      'a read-only database': { settings: this.database('readOnly') },
      'a password that is not percent-encoded': {
        settings: { DATABASE_URL: `postgres://awp:p@/${SECRET}@127.0.0.1/awp` },
      },
      'a secret that is set twice': {
        settings: { DATABASE_URL: urlAt('127.0.0.1:1'), DATABASE_URL_FILE: at('wrong-password') },
      },
      'a file of a secret that does not exist': { settings: { DATABASE_URL_FILE: at('no-secret') } },
      'a file of a secret that is empty': { settings: { OIDC_CLIENT_SECRET_FILE: at('a-file') } },
      'a folder in place of the file of a secret': { settings: { DATABASE_URL_FILE: at('nested') } },
      'a value in a file that is not allowed': { settings: { DATABASE_URL_FILE: at('other-scheme') } },
      'a wrong password in a file': { settings: { DATABASE_URL_FILE: at('wrong-password') } },
      'an `sslmode` that does not exist': {
        settings: { DATABASE_URL: urlAt('127.0.0.1:1', '?sslmode=allow') },
      },
      'a certificate of the database that does not exist': {
        settings: { DATABASE_URL: urlAt('127.0.0.1:1', `?sslrootcert=${at('no.crt')}`) },
      },
      'a certificate of the database in another format': {
        settings: { DATABASE_URL: urlAt('127.0.0.1:1', `?sslrootcert=${at('a-file')}`) },
      },
      'TLS to a PostgreSQL without it': {
        settings: { DATABASE_URL: urlAt(`127.0.0.1:${this.ports['plain']}`, '?sslmode=require') },
      },
      'a value that is not allowed': { settings: { LEASE_SECONDS: '-5' } },
      'a certificate without its key': { settings: { TLS_CERT_FILE: at('one.crt') } },
      'a certificate that does not exist': {
        settings: { TLS_CERT_FILE: at('no.crt'), TLS_KEY_FILE: at('one.key') },
      },
      'the key of another certificate': {
        settings: { TLS_CERT_FILE: at('one.crt'), TLS_KEY_FILE: at('two.key') },
      },
      'a bucket without its settings': {
        settings: {
          ATTACHMENT_STORE: 's3',
          ...{ S3_ENDPOINT: 'https://s3.example.com', S3_REGION: 'eu-1' },
          ...{ S3_ACCESS_KEY_ID: 'awp', S3_SECRET_ACCESS_KEY: SECRET },
        },
      },
      'a key ring that other users can read': { settings: { ENCRYPTION_KEYRING_FILE: at('open.json') } },
      'a key ring that was cut off': { settings: { ENCRYPTION_KEYRING_FILE: at('cut.json') } },
      'a misspelt setting': warned({ DATABSE_URL: 'postgres://x' }),
      'a setting by its old name': warned({ MCP_ALLOWED_HOSTS: 'intranet.example:443' }),
      'a password without TLS to another host': warned({ DATABASE_URL: urlAt('192.0.2.1') }),
      'plain HTTP from other hosts': warned({ HOST: '0.0.0.0', PUBLIC_URL: 'http://awp.example' }),
      'no address for agents': warned({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1' }),
    };
  }

  /** Mistakes that show in the database, or after the application was loaded. */
  late({ databaseUrl, emptyDatabaseUrl, laterDatabaseUrl }: Used): Record<string, Mistake> {
    const at = this.at;
    const withDatabase = (settings: Record<string, string>): Mistake => ({
      settings: { DATABASE_URL: databaseUrl, ...settings },
    });
    return {
      'a key ring that was lost': withDatabase({ ENCRYPTION_KEYRING_FILE: at('no-ring.json') }),
      'the key ring of another service': withDatabase({ ENCRYPTION_KEYRING_FILE: at('other.json') }),
      'no key ring in production': withDatabase({
        DATABASE_URL: emptyDatabaseUrl,
        ...{ NODE_ENV: 'production', ENCRYPTION_KEYRING_FILE: at('no-ring.json') },
      }),
      'a database that needs a later version': withDatabase({ DATABASE_URL: laterDatabaseUrl }),
      'a catalogue entry that is not JSON': withDatabase({ CATALOG_DIRS: at('not-json') }),
      'a catalogue entry with an error': withDatabase({ CATALOG_DIRS: at('with-error') }),
      'a catalogue folder that does not exist': withDatabase({ CATALOG_DIRS: at('nothing') }),
    };
  }

  /** A data folder that no start has used. */
  readonly at = (...names: string[]): string => join(this.folder, ...names);

  private database(name: string): Record<string, string> {
    return { DATABASE_URL: urlAt(`127.0.0.1:${this.ports[name]}`) };
  }

  private async makeFiles(): Promise<void> {
    const ring = ringOf(randomBytes(32));
    for (const [name, text, mode] of [
      ['a-file', '', RING_MODE],
      ['open.json', ring, 0o644],
      ['cut.json', ring.slice(0, 40), RING_MODE],
      ['other.json', ring, RING_MODE],
      ['other-scheme', `mysql://awp:${SECRET}@db/awp`, RING_MODE],
    ] as const) {
      await writeFile(this.at(name), text);
      await chmod(this.at(name), mode);
    }
    await mkdir(this.at('private'), { mode: isRoot ? 0o700 : 0o500 });
    await mkdir(this.at('nested', 'data', 'postgres'), { recursive: true });
    await mkdir(this.at('unfinished'));
    await mkdir(this.at('entered', 'postgres'), { recursive: true });
    await chmod(this.at('entered', 'postgres'), 0o755);
    await writeFile(this.at('entered', 'postgres', 'PG_VERSION'), `${SHIPPED}\n`);
    await writeFile(this.at('entered', 'postgres-credentials.json'), '{}');
    await writeFile(this.at('unfinished', UNFINISHED_RESTORE), '');
    for (const [name, text] of [
      ['not-json', '{"id": "acme",'],
      ['with-error', JSON.stringify({ id: 'acme', name: 'Acme', foo: 1 })],
    ] as const) {
      await mkdir(this.at(name));
      await writeFile(this.at(name, 'acme.json'), text);
    }
    for (const name of ['one', 'two']) makeCertificate(this.at(`${name}.crt`), this.at(`${name}.key`));
  }

  private async makeServers(): Promise<void> {
    const taken = createServer().listen(0, '0.0.0.0');
    await once(taken, 'listening');
    this.servers.push(taken);
    this.ports['taken'] = (taken.address() as AddressInfo).port;
    for (const [name, answer] of Object.entries({
      '28P01': refusing('28P01', `password ${SECRET} is wrong`),
      '28000': refusing('28000', 'no pg_hba.conf entry for host "::1", user "awp", no encryption'),
      lost: lostAfter(1),
      '3D000': refusing('3D000', 'no such database'),
      http: speakingHttp,
      plain: withoutTls,
      old: versioned(130_022, '13.22 (Debian)'),
      standby: versioned(170_004, '17.4', { isStandby: true }),
      readOnly: versioned(170_004, '17.4', { isReadOnly: true }),
    })) {
      const { server, port } = await serverThat(answer);
      this.servers.push(server);
      this.ports[name] = port;
    }
    await writeFile(this.at('wrong-password'), urlAt(`127.0.0.1:${this.ports['28P01']}`));
  }
}

/** A PostgreSQL that fits until this many connections were made; then something between resets each. */
function lostAfter(connections: number): (socket: Socket) => void {
  let made = 0;
  return (socket) => {
    made += 1;
    if (made <= connections) versioned(170_004, '17.4')(socket);
    else socket.resetAndDestroy();
  };
}

const urlAt = (host: string, query = '') => `postgres://awp:${SECRET}@${host}/awp${query}`;

const ringOf = (key: Buffer) =>
  JSON.stringify({ version: 1, primary: 'k1', keys: [{ id: 'k1', key: key.toString('base64') }] });

function makeCertificate(cert: string, key: string): void {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
}
