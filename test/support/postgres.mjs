import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Creates a database with all migrations run. The caller drops it with `drop()`; the end of the run drops the rest. */
export async function createDatabase() {
  const template = process.env.AWP_TEST_TEMPLATE;
  const name = `${template.replace('awp_template_', 'awp_test_')}_${randomBytes(6).toString('hex')}`;
  const begun = await withAdmin(async (client) => {
    await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`);
    return (await client.query('SELECT pg_current_wal_lsn() AS begun')).rows[0].begun;
  });
  return {
    url: urlOf(name),
    begun,
    drop: () => dropDatabase(name),
  };
}

/** PostgreSQL refuses to end a worker of autovacuum, which belongs to no role; it is gone a moment later. */
export async function dropDatabase(name) {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await withAdmin((client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    } catch (error) {
      if (error.code !== '42501' || attempt === 50) throw error;
      await sleep(100);
    }
}

/** Calls `work` with a connection whose role may create databases, and ends the connection. */
export async function withAdmin(work) {
  const client = new Client({ connectionString: process.env.AWP_TEST_ADMIN_URL });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the URL of the admin connection with another database. */
export function urlOf(database) {
  const url = new URL(process.env.AWP_TEST_ADMIN_URL);
  url.pathname = `/${database}`;
  return url.href;
}
