import { keyChecksIn } from '../../dist/src/platform/encryption/key-checks.js';

/** The tables that hold sealed values and the check values of keys. */
export class SealedDatabase {
  constructor(client) {
    this.client = client;
    this.checks = keyChecksIn(
      async (sql, parameters) => (await client.query(sql, parameters)).rows,
      async () => (await client.query('SELECT FROM server_credentials LIMIT 1')).rowCount > 0,
    );
  }

  /** Null where the migrations have not run yet. */
  static async in(client) {
    const { rows } = await client.query("SELECT to_regclass('server_credentials') AS table");
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

  /** Nobody writes a sealed value until the transaction ends; reading goes on. */
  async holdWriters() {
    await this.client.query('LOCK TABLE server_credentials IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Every sealed value: `{serverId, name, sealed}`. */
  async values() {
    const sql =
      'SELECT server_id AS "serverId", name, sealed FROM server_credentials ORDER BY server_id, name';
    return (await this.client.query(sql)).rows;
  }

  async replace(values) {
    const column = (name) => values.map((value) => value[name]);
    await this.client.query(
      `UPDATE server_credentials AS stored SET sealed = given.sealed
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (server_id, name, sealed)
       WHERE stored.server_id = given.server_id AND stored.name = given.name`,
      [column('serverId'), column('name'), column('sealed')],
    );
  }

  /** Whether a service of this database runs, on whatever host. */
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

/** What a credential is bound to (spec §3.3): in another row it does not open. */
export function contextOf({ serverId, name }) {
  return `mcp_env|${serverId}|${name}`;
}
