import { Client } from 'pg';

/** Milliseconds after which PostgreSQL gives up on behalf of a request (contract §8). */
export const STATEMENT_LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 15_000,
};

const PRESENT = `
  SELECT setconfig FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
  WHERE r.rolname = current_user AND d.datname = current_database()`;

/**
 * Makes the limits those of the service's role in this database, for connections that a pooler opens: it rejects them as
 * parameters of a connection, and a `SET` would reach whichever client is served next (decision 0037).
 * @param directUrl of the database itself
 */
export async function setRoleLimits(directUrl: string): Promise<void> {
  const client = new Client({ connectionString: directUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The pending call reports the error.
  await client.connect();
  try {
    const { rows } = await client.query<{ setconfig: string[] }>(PRESENT);
    const present = new Set(rows.flatMap(({ setconfig }) => setconfig));
    const database = client.escapeIdentifier(client.database ?? '');
    for (const [name, milliseconds] of Object.entries(STATEMENT_LIMITS))
      if (!present.has(`${name}=${milliseconds}`))
        await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${milliseconds}`);
  } finally {
    await client.end();
  }
}
