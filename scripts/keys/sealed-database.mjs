import { keyChecksIn } from '../../dist/src/platform/encryption/key-checks.js';

/** Every sealed value, whether a server's credential or a webhook's secret. */
const VALUES = `
  SELECT 'server_credentials' AS "table", server_id AS owner, name, sealed FROM server_credentials
  UNION ALL SELECT 'webhook_secrets', webhook_id, name, sealed FROM webhook_secrets`;

/** The tables that hold sealed values, and the check values of keys. */
export class SealedDatabase {
  constructor(client) {
    this.client = client;
    this.checks = keyChecksIn(
      async (sql, parameters) => (await client.query(sql, parameters)).rows,
      async () => (await client.query(`SELECT FROM (${VALUES}) AS stored LIMIT 1`)).rowCount > 0,
    );
  }

  /** Null when the migrations have not run yet. */
  static async in(client) {
    const { rows } = await client.query("SELECT to_regclass('webhook_secrets') AS table");
    return rows[0].table ? new SealedDatabase(client) : null;
  }

  async transaction(work) {
    await this.client.query('BEGIN');
    try {
      const result = await work();
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK');
      throw error;
    }
  }

  /** Blocks writers of sealed values until the transaction ends. Readers continue. */
  async holdWriters() {
    await this.client.query('LOCK TABLE server_credentials, webhook_secrets IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Returns every sealed value: `{table, owner, name, sealed}`. */
  async values() {
    return (await this.client.query(`${VALUES} ORDER BY "table", owner, name`)).rows;
  }

  async replace(values) {
    await this.replaceIn('server_credentials', 'server_id', values);
    await this.replaceIn('webhook_secrets', 'webhook_id', values);
  }

  async replaceIn(table, ownerColumn, values) {
    const own = values.filter((value) => value.table === table);
    const column = (name) => own.map((value) => value[name]);
    await this.client.query(
      `UPDATE ${table} AS stored SET sealed = given.sealed
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (owner, name, sealed)
       WHERE stored.${ownerColumn} = given.owner AND stored.name = given.name`,
      [column('owner'), column('name'), column('sealed')],
    );
  }

  /** Returns whether a service runs on this database, on any host. */
  async serviceIsConnected() {
    const { rowCount } = await this.client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'agent-work-platform'`,
    );
    return rowCount > 0;
  }

  async forgetCheck(id) {
    await this.client.query('DELETE FROM encryption_keys WHERE id = $1', [id]);
  }

  async forgetChecks() {
    await this.client.query('DELETE FROM encryption_keys');
  }
}

/** The context that a value is bound to (contract §3.3). It cannot be decrypted in another row. */
export function contextOf({ table, owner, name }) {
  return `${table === 'webhook_secrets' ? 'webhook' : 'mcp_env'}|${owner}|${name}`;
}

/** Returns the name of a value for messages. */
export function nameOf({ table, owner, name }) {
  return `${name} of ${table === 'webhook_secrets' ? 'webhook' : 'server'} ${owner}`;
}
