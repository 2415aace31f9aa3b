import type { Scene } from './scene.js';

/** No request may fail: neither is anything away, nor has anything to wait for long. */
const NO_FAILURE = /^(2\d\d|409)\b/;

export const scenesOfTheDatabase: Scene[] = [
  {
    name: 'fast-stop',
    does: 'The primary is stopped as a package upgrade does (fast), and started again.',
    cause: ({ database }) => database.stop(),
    remedy: ({ database }) => database.startAgain(),
    act: 'looks',
    notices: {
      alerts: ['AwpDatabaseUnreachable'],
      readyz: /^503 .*"database":"unreachable"/,
      log: /The database cannot be reached/,
      clients: /^503/,
      page: /The database does not respond/,
    },
    metrics: ['awp_database_pool_connections'],
  },
  {
    name: 'failover',
    does: 'The primary is killed. The standby is promoted, and the name of the database leads to it.',
    cause: ({ database }) => database.kill(),
    remedy: async ({ database, address }) => {
      await database.promote();
      address.moveTo(database.url);
    },
    afterwards: ({ database }) => database.addStandby(),
    act: 'looks',
    notices: {
      alerts: ['AwpDatabaseUnreachable'],
      readyz: /^503 .*"database":"unreachable"/,
      log: /The database cannot be reached/,
      clients: /^503/,
      page: /The database does not respond/,
    },
  },
  {
    name: 'session-killed',
    does: 'The kernel kills one session of the database for lack of memory. PostgreSQL ends all of them, and recovers by itself.',
    cause: ({ database }) => database.killSession(),
    remedy: ({ database }) => database.answers(),
    notices: { log: /57P02|because of crash|recovery mode|terminated unexpectedly/, clients: /^503/ },
  },
  {
    name: 'second-login',
    does: 'A second login is made and written into the file of DATABASE_URL_FILE. The former one is removed once nothing uses it.',
    cause: async (world) => {
      const former = await world.database.useSecondLogin();
      world.writeDatabaseUrl();
      world.service.reload();
      world.formerLogin = former;
    },
    remedy: async ({ database, formerLogin }) => {
      await database.retire(formerLogin);
    },
    notices: { log: /DATABASE_URL_FILE .*has changed/ },
    outcomes: NO_FAILURE,
  },
  {
    name: 'password-first',
    does: 'The password is changed in the database before the file has it, and all sessions end. Then the file is written.',
    cause: async ({ database }) => {
      await database.changePassword();
      await database.endSessions();
    },
    remedy: async (world) => world.writeDatabaseUrl(),
    act: 'looks',
    notices: {
      alerts: ['AwpDatabaseNotWritable'],
      readyz: /^503 .*"database":"credentials rejected"/,
      log: /password authentication failed|28P01/,
      clients: /^503/,
      page: /The database rejects the credentials/,
    },
    metrics: ['awp_database_state'],
  },
  {
    name: 'read-only',
    does: 'The database becomes read-only, as a managed one does near a full disk, and accepts writes again.',
    cause: ({ database }) => database.makeReadOnly(true),
    remedy: ({ database }) => database.makeReadOnly(false),
    act: 'writes',
    notices: {
      alerts: ['AwpDatabaseNotWritable'],
      readyz: /^503 .*"database":"read-only"/,
      log: /25006/,
      clients: /^503/,
      page: /The database accepts no writes/,
    },
    metrics: ['awp_database_state'],
  },
  {
    name: 'database-disk-full',
    does: 'The disk of the tables is filled, and space is freed again.',
    cause: ({ database }) => database.disk.fill(),
    remedy: async ({ database }) => database.disk.clear(),
    act: 'writes',
    notices: {
      alerts: ['AwpDatabaseNotWritable'],
      readyz: /^503 .*"database":"full"/,
      log: /53100/,
      clients: /^503/,
      page: /The disk of the database is full/,
    },
    metrics: ['awp_database_state'],
  },
];
