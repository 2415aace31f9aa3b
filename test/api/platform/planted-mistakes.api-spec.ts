import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refusing, serverThat, speakingHttp } from '../../support/fake-postgres.js';
import { ServiceProcess } from '../../support/service-process.js';
import { useService } from '../../support/service.js';

/**
 * Mistakes that operators make, each planted in an installation. A start must end with one sentence that names the
 * setting, the cause and the way out, without a secret and without a stack, and with the exit code that shows a
 * supervisor whether another try can help. A data folder that another service uses is in data-dir-lock.api-spec.ts.
 */
interface Mistake {
  settings: Record<string, string>;
  exitCode: 1 | 78;
  /** The setting, the cause and the way out. */
  says: [setting: RegExp, cause: RegExp, wayOut: RegExp];
}

const SECRET = 'hunter2-hunter2';
const folder = mkdtempSync(join(tmpdir(), 'awp-mistakes-'));
const at = (...names: string[]) => join(folder, ...names);
const service = useService({ ownProcess: true });
const servers: Server[] = [];
const ports: Record<'taken' | 'wrongPassword' | 'noDatabase' | 'http', number> = {
  ...{ taken: 0, wrongPassword: 0, noDatabase: 0, http: 0 },
};

beforeAll(async () => {
  await writeFile(at('a-file'), '', { mode: 0o644 });
  await chmod(at('a-file'), 0o644);
  await mkdir(at('catalogue'));
  await writeFile(at('catalogue', 'acme.json'), '{"id": "acme",');
  await mkdir(at('entry'));
  await writeFile(at('entry', 'acme.json'), JSON.stringify({ id: 'acme', name: 'Acme', foo: 1 }));
  for (const name of ['one', 'two'])
    execFileSync('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=localhost', '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)],
    ]);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  servers.push(taken);
  ports.taken = (taken.address() as AddressInfo).port;
  const answers = {
    wrongPassword: refusing('28P01', `password ${SECRET} is wrong`),
    noDatabase: refusing('3D000', 'no such database'),
    http: speakingHttp,
  };
  for (const [name, answer] of Object.entries(answers)) {
    const { server, port } = await serverThat(answer);
    servers.push(server);
    ports[name as 'http'] = port;
  }
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const database = (port: number) => ({ DATABASE_URL: `postgres://awp:${SECRET}@127.0.0.1:${port}/awp` });

const MISTAKES: Record<string, () => Mistake> = {
  'a port in use': () => ({
    settings: { PORT: `${ports.taken}` },
    exitCode: 1,
    says: [
      /PORT=\d+/,
      /another program listens .*EADDRINUSE/,
      /Stop that program, or set PORT to a free port/,
    ],
  }),
  'a HOST of another machine': () => ({
    settings: { HOST: '192.0.2.1' },
    exitCode: 78,
    says: [/HOST=192\.0\.2\.1/, /is not an address of this host/, /Set HOST to an address of this host/],
  }),
  'a DATA_DIR that is a file': () => ({
    settings: { DATA_DIR: at('a-file') },
    exitCode: 78,
    says: [/DATA_DIR \(/, /is a file or lies below one/, /Set DATA_DIR/],
  }),
  'a DATA_DIR below a file': () => ({
    settings: { DATA_DIR: at('a-file', 'data') },
    exitCode: 78,
    says: [/DATA_DIR \(/, /is a file or lies below one/, /Set DATA_DIR/],
  }),
  'a DATA_DIR where no folder can be made': () => ({
    settings: { DATA_DIR: '/proc/x' },
    exitCode: 78,
    says: [/DATA_DIR \(\/proc\/x\)/, /allows no new folders/, /Set DATA_DIR/],
  }),
  'a wrong password in DATABASE_URL': () => ({
    settings: database(ports.wrongPassword),
    exitCode: 1,
    says: [
      /DATABASE_URL/,
      /rejects the password of user awp \(28P01\)/,
      /Correct user and password in DATABASE_URL/,
    ],
  }),
  'a DATABASE_URL with an unknown database': () => ({
    settings: database(ports.noDatabase),
    exitCode: 1,
    says: [/DATABASE_URL/, /has no database awp/, /Create it with CREATE DATABASE, or correct the name/],
  }),
  'a DATABASE_URL at which nothing listens': () => ({
    settings: database(1),
    exitCode: 1,
    says: [
      /DATABASE_URL/,
      /no PostgreSQL responds at 127\.0\.0\.1:1/,
      /Start that PostgreSQL, or correct host and port/,
    ],
  }),
  'a DATABASE_URL of another kind of server': () => ({
    settings: database(ports.http),
    exitCode: 78,
    says: [/DATABASE_URL/, /is not PostgreSQL/, /Set DATABASE_URL to the host and port of a PostgreSQL/],
  }),
  'a DATABASE_URL whose host does not exist': () => ({
    settings: { DATABASE_URL: `postgres://awp:${SECRET}@nowhere.invalid/awp` },
    exitCode: 1,
    says: [
      /DATABASE_URL/,
      /host name nowhere\.invalid cannot be resolved/,
      /Correct the host in DATABASE_URL/,
    ],
  }),
  'a password that is not percent-encoded': () => ({
    settings: { DATABASE_URL: `postgres://awp:p@/${SECRET}@127.0.0.1/awp` },
    exitCode: 78,
    says: [/DATABASE_URL/, /must be a URL like/, /percent-encoded/],
  }),
  'a certificate without its key': () => ({
    settings: { TLS_CERT_FILE: at('one.crt') },
    exitCode: 78,
    says: [/TLS_KEY_FILE/, /is needed with TLS_CERT_FILE/, /is needed/],
  }),
  'the key of another certificate': () => ({
    settings: { TLS_CERT_FILE: at('one.crt'), TLS_KEY_FILE: at('two.key') },
    exitCode: 78,
    says: [
      /TLS_KEY_FILE \(/,
      /is not the private key of TLS_CERT_FILE/,
      /Name two PEM files that belong together/,
    ],
  }),
  'a bucket without its settings': () => ({
    settings: { ATTACHMENT_STORE: 's3', S3_SECRET_ACCESS_KEY: SECRET },
    exitCode: 78,
    says: [/S3_BUCKET/, /is needed with ATTACHMENT_STORE=s3/, /S3_ENDPOINT/],
  }),
  'a key ring that was lost': () => ({
    settings: { DATABASE_URL: service.databaseUrl, DATA_DIR: at('lost') },
    exitCode: 78,
    says: [
      /key ring/,
      /but this database (was used|holds values sealed) with key/,
      /restore the key ring from your backup/,
    ],
  }),
  'a key ring that other users can read': () => ({
    settings: { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEYRING_FILE: at('a-file') },
    exitCode: 78,
    says: [/ENCRYPTION_KEYRING_FILE/, /has mode 0644/, /run chmod 600 on it/],
  }),
  'a catalogue that is not JSON': () => ({
    settings: { CATALOG_DIRS: at('catalogue'), DATABASE_URL: service.databaseUrl },
    exitCode: 78,
    says: [/CATALOG_DIRS/, /acme\.json: is not JSON/, /Correct these files/],
  }),
  'a catalogue with a wrong entry': () => ({
    settings: { CATALOG_DIRS: at('entry'), DATABASE_URL: service.databaseUrl },
    exitCode: 78,
    says: [
      /CATALOG_DIRS/,
      /acme\.json: description is required[^]*has an unknown field: foo/,
      /Correct these files/,
    ],
  }),
  'a catalogue folder that does not exist': () => ({
    settings: { CATALOG_DIRS: at('nothing'), DATABASE_URL: service.databaseUrl },
    exitCode: 78,
    says: [/CATALOG_DIRS/, /nothing: the folder cannot be read/, /Correct these files/],
  }),
  'a misspelt setting beside another mistake': () => ({
    settings: { DATABSE_URL: 'postgres://x', PORT: `${ports.taken}` },
    exitCode: 1,
    says: [/DATABSE_URL is not a setting/, /is ignored/, /Did you mean DATABASE_URL\?/],
  }),
};

/** A start takes seconds, so that one mistake of each kind is planted normally, and all of them at full size. */
const ONE_OF_EACH_KIND = [
  ...['a port in use', 'a DATA_DIR that is a file', 'a wrong password in DATABASE_URL'],
  ...['a password that is not percent-encoded', 'the key of another certificate', 'a key ring that was lost'],
  ...['a catalogue with a wrong entry', 'a misspelt setting beside another mistake'],
];
const planted = process.env['TEST_SIZE'] === 'full' ? Object.keys(MISTAKES) : ONE_OF_EACH_KIND;

it.each(planted)('a start with %s says what is wrong and what to do', async (name) => {
  const { settings, exitCode, says } = MISTAKES[name]!();
  const started = new ServiceProcess({ DATA_DIR: at('data'), ...settings });
  const { code } = await started.ended;
  const { log } = started;
  expect({ code, log }).toEqual({ code: exitCode, log });
  for (const part of says) expect(log).toMatch(part);
  expect(log).toMatch(/^The service did not start\. \S/m);
  expect(log).not.toMatch(/\n\s+at /);
  expect(log).not.toContain(SECRET);
});
