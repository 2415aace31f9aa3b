import { chown, copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Client } from 'pg';
import { aCertificate, type Certificate } from '../../../support/certificate.js';
import { DurablePostgres } from '../../../support/durable-postgres.js';
import { type Service, startService } from '../../../support/service.js';
import { byHand, bySetting, byStatements, plantEach } from './fault.js';

let postgres: DurablePostgres;
let service: Service;
let url = '';
/** The lines of pg_hba.conf as they were made. */
let rules = '';
const certificates: Record<string, Certificate> = {};
const clients: Client[] = [];
beforeAll(async () => {
  postgres = await DurablePostgres.start();
  const database = await postgres.createDatabase('work');
  url = database.url;
  service = await startService({ database });
  await service.stop();
  rules = await readFile(rulesFile(), 'utf8');
  for (const [name, days, names] of [
    ['good', 90, 'IP:127.0.0.1'],
    ['expired', -1, 'IP:127.0.0.1'],
    ['other', 90, 'DNS:db.example.com'],
  ] as const)
    certificates[name] = await aCertificate(days, names);
});
afterAll(async () => {
  for (const certificate of Object.values(certificates)) await certificate.remove();
  await service?.remove();
  await postgres?.remove();
});

const healthy = () => ({
  settings: { DATABASE_URL: url, DATA_DIR: service.dataDir, PROCESSES: '1' },
});
const administer = (statement: string) => postgres.administer(statement);
const rulesFile = () => join(postgres.cluster, 'pg_hba.conf');
const reload = async () => {
  await administer('SELECT pg_reload_conf()');
};
const urlWith = (parameters: Record<string, string>) => {
  const other = new URL(url);
  for (const [name, value] of Object.entries(parameters)) other.searchParams.set(name, value);
  return { DATABASE_URL: other.href };
};
const trusting = (name: string) =>
  urlWith({ sslmode: 'verify-full', sslrootcert: certificates[name]!.certificate });

/** Lets PostgreSQL offer TLS with this certificate. */
async function offerTls(name: string): Promise<void> {
  const { uid, gid } = await stat(rulesFile());
  for (const [file, place] of [
    [certificates[name]!.certificate, 'server.crt'],
    [certificates[name]!.key, 'server.key'],
  ] as const) {
    await copyFile(file, join(postgres.cluster, place));
    await chown(join(postgres.cluster, place), uid, gid);
  }
  await administer('ALTER SYSTEM SET ssl = on');
  await reload();
}

async function offerNoTls(): Promise<void> {
  await administer('ALTER SYSTEM RESET ssl');
  await reload();
}

async function allow(text: string): Promise<void> {
  await writeFile(rulesFile(), text);
  await reload();
}

/** The rules come first, and each ends with those that let the test in. */
const ruling = (rule: string) => allow(`${rule}\n${rules}`);

describe('npm run doctor names what is wrong with TLS to the database, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'TLS to a PostgreSQL without it',
      check: 'database',
      says: /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ offers no TLS$/,
      plant: () => ({ settings: trusting('good') }),
      follow: byHand(/^turn on ssl in that PostgreSQL/, () => offerTls('good')),
      clean: offerNoTls,
    },
    {
      fault: 'a PostgreSQL that demands TLS',
      check: 'database',
      says: /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ does not accept user awp without TLS \(28000\)$/,
      plant: async () => {
        await offerTls('good');
        await ruling('hostnossl all awp all reject');
      },
      follow: byHand(
        /^add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE where/,
        bySetting(() => trusting('good')),
      ),
      clean: async () => {
        await allow(rules);
        await offerNoTls();
      },
    },
    {
      fault: 'a certificate of an authority that this host does not know',
      check: 'database',
      says: /is of an authority that this host does not know \(\w+\)$/,
      plant: async () => {
        await offerTls('good');
        return { settings: urlWith({ sslmode: 'verify-full' }) };
      },
      follow: byHand(
        /^name the certificate of its authority with sslrootcert in DATABASE_URL$/,
        bySetting(() => trusting('good')),
      ),
      clean: offerNoTls,
    },
    {
      fault: 'a certificate of another host',
      check: 'database',
      says: /is of another host \(DNS:db\.example\.com\) \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
      plant: async () => {
        await offerTls('other');
        return { settings: trusting('other') };
      },
      follow: byHand(/or add this one to the certificate$/, async () => {
        await offerTls('good');
        return { settings: trusting('good') };
      }),
      clean: offerNoTls,
    },
    {
      fault: 'a certificate that has expired',
      check: 'database',
      says: /^DATABASE_URL: the certificate of PostgreSQL at .* has expired \(CERT_HAS_EXPIRED\)$/,
      plant: async () => {
        await offerTls('expired');
        return { settings: trusting('expired') };
      },
      follow: byHand('renew it on that PostgreSQL, and reload its configuration', async () => {
        await offerTls('good');
        await copyFile(certificates['good']!.certificate, certificates['expired']!.certificate);
      }),
      clean: offerNoTls,
    },
    {
      fault: 'a certificate of the authority that does not exist',
      check: 'database',
      says: /^DATABASE_URL: the file of its sslrootcert .*cannot be read \(ENOENT\)$/,
      plant: async () => {
        await offerTls('good');
        return { settings: urlWith({ sslmode: 'verify-full', sslrootcert: '/nowhere.crt' }) };
      },
      follow: bySetting(() => trusting('good')),
      clean: offerNoTls,
    },
    {
      fault: 'a key in the place of the certificate of the authority',
      check: 'database',
      says: /^DATABASE_URL: the file of its sslrootcert is not a certificate in PEM format$/,
      plant: async () => {
        await offerTls('good');
        return {
          settings: urlWith({ sslmode: 'verify-full', sslrootcert: certificates['good']!.key }),
        };
      },
      follow: byHand(
        'Name a file with one or more of them',
        bySetting(() => trusting('good')),
      ),
      clean: offerNoTls,
    },
  ]);
});

describe('npm run doctor names who keeps the service out of the database, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'a rule of pg_hba.conf that rejects the user',
      check: 'database',
      says: /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ rejects user awp \(28000\)$/,
      plant: () => ruling('host all awp all reject'),
      follow: byHand(/allow the connection in pg_hba\.conf of the server$/, () => allow(rules)),
      clean: () => allow(rules),
    },
    {
      fault: 'a role that may not log in',
      check: 'database',
      says: /does not let user awp log in \(28000\)$/,
      plant: () => administer('ALTER ROLE awp NOLOGIN').then(() => undefined),
      follow: byStatements(administer),
      clean: () => administer('ALTER ROLE awp LOGIN'),
    },
    {
      fault: 'a role that may not connect to the database',
      check: 'database',
      says: /^DATABASE_URL: user awp may not connect to the database work of .* \(42501\)$/,
      plant: async () => {
        await administer('ALTER DATABASE work OWNER TO postgres');
        await administer('REVOKE CONNECT ON DATABASE work FROM PUBLIC, awp');
      },
      follow: byStatements(administer),
      clean: () => administer('ALTER DATABASE work OWNER TO awp'),
    },
    {
      fault: 'a database that is closed to connections',
      check: 'database',
      says: /accepts no connections to the database work \(55000\)$/,
      plant: () => administer('ALTER DATABASE work ALLOW_CONNECTIONS false').then(() => undefined),
      follow: byStatements(administer),
      clean: () => administer('ALTER DATABASE work ALLOW_CONNECTIONS true'),
    },
    {
      fault: 'a server whose connections are used up',
      check: 'database',
      says: /has no connection left for user awp \(53300\)$/,
      plant: async () => {
        await postgres.allowConnections(12);
        for (let count = 0; count < 9; count += 1) clients.push(await connected());
      },
      follow: byHand(/^end connections that are not needed, or raise max_connections/, async () => {
        for (const client of clients.splice(0)) await client.end();
        await postgres.allowConnections(100);
      }),
    },
    {
      fault: 'a server with fewer connections than the service opens',
      check: 'database',
      level: 'warn',
      says: /^its server may have 12 connections, and this service opens up to 26 in 3 processes$/,
      plant: async () => {
        await postgres.allowConnections(15);
        return { settings: { PROCESSES: '2' } };
      },
      follow: byHand(
        /, or set PROCESSES=1 and DATABASE_POOL_SIZE=5$/,
        bySetting({ PROCESSES: '1', DATABASE_POOL_SIZE: '5' }),
      ),
      clean: () => postgres.allowConnections(100),
    },
    {
      fault: 'more processes than the role has connections for',
      check: 'database',
      level: 'warn',
      says: /^its user awp may have 40 connections, and this service opens up to 59 in 9 processes$/,
      plant: async () => {
        await administer('ALTER ROLE awp CONNECTION LIMIT 40');
        return { settings: { PROCESSES: '8' } };
      },
      follow: (fix) => ({
        settings: {
          DATABASE_POOL_SIZE: /, or set PROCESSES=1 and DATABASE_POOL_SIZE=(\d+)$/.exec(fix)![1]!,
          PROCESSES: '1',
        },
      }),
      clean: () => administer('ALTER ROLE awp CONNECTION LIMIT -1'),
    },
    {
      fault: 'the way past a pooler to another database',
      check: 'database',
      says: /^DATABASE_DIRECT_URL leads to another database than DATABASE_URL$/,
      plant: async () => {
        const other = await postgres.createDatabase('second');
        return { settings: { DATABASE_DIRECT_URL: other.url } };
      },
      follow: byHand(
        /^set DATABASE_DIRECT_URL to the database behind the pooler/,
        bySetting(() => ({ DATABASE_DIRECT_URL: url })),
      ),
    },
    {
      fault: 'a way past a pooler with a wrong password',
      check: 'database',
      says: /^DATABASE_DIRECT_URL: PostgreSQL at .* rejects the password of user awp \(28P01\)$/,
      plant: () => {
        const other = new URL(url);
        other.password = 'hunter2-hunter2';
        return { settings: { DATABASE_DIRECT_URL: other.href } };
      },
      follow: byHand(
        /^correct user and password in DATABASE_DIRECT_URL/,
        bySetting(() => ({ DATABASE_DIRECT_URL: url })),
      ),
    },
  ]);
});

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
