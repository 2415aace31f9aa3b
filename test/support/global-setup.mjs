import { migrate } from '../../dist/src/platform/database/migrate.js';
import endOfTests from './global-teardown.mjs';
import { urlOf, withAdmin } from './postgres.mjs';
import { beginRun } from './test-run.mjs';
import { startTestServer } from './test-server.mjs';

/** One migrated template database for all test files, on TEST_DATABASE_URL's server or one of our own. */
export default async function beginningOfTests() {
  const tests = (globalThis.awpTests = { server: null, run: null });
  try {
    if (!process.env.TEST_DATABASE_URL) tests.server = await startTestServer();
    process.env.AWP_TEST_ADMIN_URL = tests.server?.url ?? process.env.TEST_DATABASE_URL;
    if (tests.server) process.env.AWP_TEST_SERVER_LOG = tests.server.log;
    tests.run = await beginRun(process.env.AWP_TEST_ADMIN_URL);
    process.env.AWP_TEST_TEMPLATE = await createTemplate(tests.run.id);
  } catch (error) {
    // Jest tears down only what it has set up.
    await endOfTests();
    throw error;
  }
}

/** Closed to connections: one that stays open would refuse every copy. */
async function createTemplate(runId) {
  const template = `awp_template_${runId}`;
  await withAdmin((client) => client.query(`CREATE DATABASE "${template}"`));
  await migrate(urlOf(template));
  await withAdmin((client) => client.query(`ALTER DATABASE "${template}" ALLOW_CONNECTIONS false`));
  return template;
}
