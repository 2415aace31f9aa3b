import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The name of a database contains the id of its run: `awp_template_<run>`, `awp_test_<run>_<hex>`. */
const ofARun = /^awp_(?:template|test)_([0-9a-f]{12})(?:_|$)/;

/**
 * Begins one run of the tests on a server. The run holds an advisory lock on its id, so that the next run can drop the
 * databases of runs that were killed.
 */
export async function beginRun(adminUrl) {
  const id = randomBytes(6).toString('hex');
  const client = new Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [id]);
  await dropDatabases(client, await databasesOfEndedRuns(client));
  return {
    id,
    async end() {
      await dropDatabases(
        client,
        (await databases(client)).filter((name) => ofARun.exec(name)[1] === id),
      );
      await client.end();
    },
  };
}

async function databasesOfEndedRuns(client) {
  const ended = [];
  for (const name of await databases(client)) {
    const sql = 'SELECT pg_try_advisory_lock(hashtext($1)) AS taken';
    const { rows } = await client.query(sql, [ofARun.exec(name)[1]]);
    if (!rows[0].taken) continue;
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [ofARun.exec(name)[1]]);
    ended.push(name);
  }
  return ended;
}

async function databases(client) {
  const { rows } = await client.query('SELECT datname FROM pg_database');
  return rows.map((row) => row.datname).filter((name) => ofARun.test(name));
}

async function dropDatabases(client, names) {
  for (const name of names) await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}
