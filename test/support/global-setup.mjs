import { migrate } from '../../dist/src/platform/database/migrate.js';
import endOfTests from './global-teardown.mjs';
import { startPgBouncer } from './pgbouncer.mjs';
import { urlOf, withAdmin } from './postgres.mjs';
import { startServiceHosts } from './service-hosts.mjs';
import { beginRun } from './test-run.mjs';
import { startTestServer } from './test-server.mjs';

/**
 * Creates one migrated template database for all test files, on the server of TEST_DATABASE_URL or on an embedded one,
 * and one service host per worker. With TEST_THROUGH=pgbouncer every service reaches its database through PgBouncer.
 */
export default async function beginningOfTests({ maxWorkers }) {
  const tests = (globalThis.awpTests = { server: null, run: null, hosts: null, pooler: null });
  try {
    if (!process.env.TEST_DATABASE_URL) tests.server = await startTestServer();
    process.env.AWP_TEST_ADMIN_URL = tests.server?.url ?? process.env.TEST_DATABASE_URL;
    if (tests.server) process.env.AWP_TEST_SERVER_LOG = tests.server.log;
    tests.run = await beginRun(process.env.AWP_TEST_ADMIN_URL);
    process.env.AWP_TEST_TEMPLATE = await createTemplate(tests.run.id);
    if (process.env.TEST_THROUGH === 'pgbouncer') {
      tests.pooler = await startPgBouncer(process.env.AWP_TEST_ADMIN_URL);
      process.env.AWP_TEST_POOLER_URL = tests.pooler.before(process.env.AWP_TEST_ADMIN_URL);
    }
    tests.hosts = startServiceHosts(maxWorkers);
    process.env.AWP_TEST_HOSTS = tests.hosts.folder;
  } catch (error) {
    // Jest runs no teardown when the setup fails.
    await endOfTests();
    throw error;
  }
}

/** Closes the template to connections: PostgreSQL refuses to copy a database while one is open. */
async function createTemplate(runId) {
  const template = `awp_template_${runId}`;
  await withAdmin((client) => client.query(`CREATE DATABASE "${template}"`));
  await migrate(urlOf(template));
  await withAdmin((client) => client.query(`ALTER DATABASE "${template}" ALLOW_CONNECTIONS false`));
  return template;
}
