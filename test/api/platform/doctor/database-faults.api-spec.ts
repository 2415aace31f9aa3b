import { once } from 'node:events';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Server } from 'node:net';
import { DurablePostgres } from '../../../support/durable-postgres.js';
import { serverThat, speakingHttp, versioned } from '../../../support/fake-postgres.js';
import { type Service, startService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { byHand, bySetting, byStatements, plantEach, SECRET } from './fault.js';

let postgres: DurablePostgres;
let service: Service;
const fakes: Record<string, { server: Server; port: number }> = {};
let url = '';
beforeAll(async () => {
  postgres = await DurablePostgres.start();
  const database = await postgres.createDatabase('work');
  url = database.url;
  service = await startService({ database });
  await service.stop();
  for (const [name, answer] of Object.entries({
    http: speakingHttp,
    old: versioned(130_022, '13.22 (Debian)'),
    standby: versioned(170_004, '17.4', { isStandby: true }),
  }))
    fakes[name] = await serverThat(answer);
});
afterAll(async () => {
  for (const { server } of Object.values(fakes)) await once(server.close(), 'close');
  await service?.remove();
  await postgres?.remove();
});

const healthy = () => ({ settings: { DATABASE_URL: url, DATA_DIR: service.dataDir, PROCESSES: '1' } });
const urlWith = (change: (of: URL) => void) => {
  const other = new URL(url);
  change(other);
  return other.href;
};
const inDatabase = (name: string) => ({ DATABASE_URL: urlWith((of) => (of.pathname = `/${name}`)) });
const asUser = (name: string, password = 'other') => ({
  DATABASE_URL: urlWith((of) => Object.assign(of, { username: name, password })),
});
const atFake = (name: string) => ({
  DATABASE_URL: urlWith((of) => Object.assign(of, { password: SECRET, port: `${fakes[name]!.port}` })),
});
const administer = <Row>(statement: string) => postgres.administer<Row>(statement);
const inWork = (statement: string) => postgres.administer(statement, 'work');
const back = bySetting(() => ({ DATABASE_URL: url }));

describe('npm run doctor names what is wrong with the way to the database, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'a server that is down',
      check: 'database',
      says: /^DATABASE_URL: no PostgreSQL responds at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/,
      plant: () => postgres.stopFast(),
      follow: byHand(/^start that PostgreSQL/, () => postgres.startAgain()),
    },
    {
      fault: 'a server that is frozen',
      check: 'database',
      says: /^DATABASE_URL: PostgreSQL at .* does not answer \(timeout expired\)$/,
      plant: () => postgres.signal('SIGSTOP'),
      follow: byHand(/^check that this PostgreSQL is not frozen/, () => postgres.signal('SIGCONT')),
    },
    {
      fault: 'a host name that does not exist',
      check: 'database',
      says: /^DATABASE_URL: the host name nowhere\.invalid cannot be resolved/,
      plant: () => ({ settings: { DATABASE_URL: urlWith((of) => (of.hostname = 'nowhere.invalid')) } }),
      follow: back,
    },
    {
      fault: 'another kind of server',
      check: 'database',
      says: /^DATABASE_URL: the server at 127\.0\.0\.1:\d+ is not PostgreSQL$/,
      plant: () => ({ settings: atFake('http') }),
      follow: back,
    },
    {
      fault: 'a PostgreSQL that is too old',
      check: 'database',
      says: /is PostgreSQL 13\.22 \(Debian\)$/,
      plant: () => ({ settings: atFake('old') }),
      follow: byHand('use a PostgreSQL of version 15 to 18', back),
    },
    {
      fault: 'a standby',
      check: 'database',
      says: /is a standby, which accepts no writes$/,
      plant: () => ({ settings: atFake('standby') }),
      follow: byHand(/^set DATABASE_URL to the primary/, back),
    },
    {
      fault: 'a wrong password',
      check: 'database',
      says: /rejects the password of user awp \(28P01\)$/,
      plant: () => ({ settings: { DATABASE_URL: urlWith((of) => (of.password = SECRET)) } }),
      follow: back,
    },
    {
      fault: 'the name of a database that does not exist',
      check: 'database',
      says: /has no database fresh \(3D000\)$/,
      plant: () => ({ settings: inDatabase('fresh') }),
      follow: byStatements(administer),
    },
    {
      fault: 'a connection limit of the role that is used up',
      check: 'database',
      says: /has no connection left for user awp \(53300\)$/,
      plant: () => administer('ALTER ROLE awp CONNECTION LIMIT 0').then(() => undefined),
      follow: byStatements(administer),
    },
    {
      fault: 'a connection limit of the database that is used up',
      check: 'database',
      says: /has no connection left for user awp \(53300\)$/,
      plant: () => administer('ALTER DATABASE work CONNECTION LIMIT 0').then(() => undefined),
      follow: byStatements(administer),
    },
    {
      fault: 'a role with fewer connections than the service opens',
      check: 'database',
      level: 'warn',
      says: /^its user awp may have 12 connections, and this service opens up to 17$/,
      plant: () => administer('ALTER ROLE awp CONNECTION LIMIT 12').then(() => undefined),
      follow: byStatements(administer),
    },
    {
      fault: 'a database with fewer connections than the service opens',
      check: 'database',
      level: 'warn',
      says: /^it may have 12 connections, and this service opens up to 17$/,
      plant: () => administer('ALTER DATABASE work CONNECTION LIMIT 12').then(() => undefined),
      follow: byHand(/, or set DATABASE_POOL_SIZE=5$/, bySetting({ DATABASE_POOL_SIZE: '5' })),
      clean: () => administer('ALTER DATABASE work CONNECTION LIMIT -1'),
    },
  ]);
});

describe('npm run doctor names what the database does not allow, and its fix works:', () => {
  const readOnly = (what: string) =>
    administer(`ALTER ${what} SET default_transaction_read_only = on`).then(() => undefined);
  plantEach(healthy, [
    {
      fault: 'a database that was made read-only',
      check: 'database',
      says: /is read-only \(default_transaction_read_only\)$/,
      plant: () => readOnly('DATABASE work'),
      follow: byStatements(administer),
    },
    {
      fault: 'a role that was made read-only',
      check: 'database',
      says: /is read-only \(default_transaction_read_only\)$/,
      plant: () => readOnly('ROLE awp'),
      follow: byStatements(administer),
    },
    {
      fault: 'a server that was made read-only',
      check: 'database',
      says: /is read-only \(default_transaction_read_only\)$/,
      plant: async () => {
        await readOnly('SYSTEM');
        await administer('SELECT pg_reload_conf()');
      },
      follow: byStatements(administer),
    },
    {
      fault: 'a role that may not create tables',
      check: 'database',
      says: /^DATABASE_URL: its user may not create tables in the schema public of .*\/bare$/,
      plant: async () => {
        await administer('CREATE DATABASE bare');
        return { settings: inDatabase('bare') };
      },
      follow: byStatements((statement) => postgres.administer(statement, 'bare')),
    },
    {
      fault: 'a role that may only read',
      check: 'database',
      says: /^its user reader may not write the table \w+, which belongs to awp$/,
      plant: async () => {
        await administer(`CREATE ROLE reader LOGIN PASSWORD 'other'`);
        await inWork('GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader');
        return { settings: asUser('reader') };
      },
      follow: byStatements(administer),
    },
    {
      fault: 'a role that was granted the tables and does not own them',
      check: 'database',
      level: 'warn',
      says: /^its user writer does not own the table \w+, which belongs to awp: a later migration fails$/,
      plant: async () => {
        await administer(`CREATE ROLE writer LOGIN PASSWORD 'other'`);
        await inWork('GRANT ALL ON ALL TABLES IN SCHEMA public TO writer');
        return { settings: asUser('writer') };
      },
      follow: byStatements(administer),
    },
    {
      fault: 'the database of another program',
      check: 'database',
      says: /^it has tables of another program: projects, users$/,
      plant: async () => {
        await postgres.createDatabase('shop');
        for (const table of ['users', 'projects', 'orders'])
          await postgres.administer(`CREATE TABLE ${table} (id int)`, 'shop');
        return { settings: inDatabase('shop') };
      },
      follow: (fix) => ownDatabase(fix, 'shop_awp'),
    },
    {
      fault: 'the database of another program with migrations of its own',
      check: 'database',
      says: /^its table migrations is of another program$/,
      plant: async () => {
        await postgres.createDatabase('crm');
        await postgres.administer('CREATE TABLE migrations (timestamp bigint, name text)', 'crm');
        await postgres.administer(`INSERT INTO migrations VALUES (1500000000000, 'Init')`, 'crm');
        await postgres.administer('GRANT SELECT ON migrations TO awp', 'crm');
        return { settings: inDatabase('crm') };
      },
      follow: (fix) => ownDatabase(fix, 'crm_awp'),
    },
    {
      fault: 'a database in another encoding',
      check: 'database',
      says: /^its encoding is LATIN1, which many texts do not fit into$/,
      plant: async () => {
        await administer(
          `CREATE DATABASE old OWNER awp ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER 'libc' TEMPLATE template0`,
        );
        return { settings: inDatabase('old') };
      },
      follow: (fix) => ownDatabase(fix, 'old_utf8'),
    },
    {
      fault: 'old rows that autovacuum does not freeze',
      check: 'database',
      level: 'warn',
      says: /^its oldest rows are 1\.[12] billion transactions old, and PostgreSQL refuses to write at 2 billion$/,
      plant: async () => {
        await administer('ALTER SYSTEM SET autovacuum = off');
        await administer('SELECT pg_reload_conf()');
        const workers = `SELECT 1 FROM pg_stat_activity WHERE backend_type LIKE 'autovacuum%'`;
        await until(async () => (await administer(workers)).length === 0);
        // What a database that was not vacuumed for 1.2 billion transactions says of itself.
        const [row] = await administer<{ next: string }>(
          'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
        );
        const frozen = (BigInt(row!.next) - 1_200_000_000n + 4_294_967_296n) % 4_294_967_296n;
        await administer(`UPDATE pg_database SET datfrozenxid = '${frozen}' WHERE datname = 'work'`);
      },
      follow: byHand(/then run `VACUUM \(FREEZE\)` in this database as a superuser/, () =>
        byStatements(inWork)('`VACUUM (FREEZE)`'),
      ),
      clean: async () => {
        await administer('ALTER SYSTEM RESET autovacuum');
        await administer('SELECT pg_reload_conf()');
      },
    },
  ]);

  async function ownDatabase(fix: string, name: string) {
    await byStatements(administer)(fix);
    return byHand('set DATABASE_URL to it', () => ({ settings: inDatabase(name) }))(fix);
  }
});
