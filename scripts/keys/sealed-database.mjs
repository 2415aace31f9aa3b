import { keyChecksIn } from '../../dist/src/platform/encryption/key-proof-rotation-and-first-ring.js';

/**
 * The tables that hold sealed values, with the column that names the owner of a row. `ownerType` is the type of that
 * column, uuid if absent. `naming` is the expression of the value's name, the column `name` if absent.
 */
const TABLES = {
  server_credentials: {
    owner: 'server_id',
    noun: 'server',
    context: ({ owner, name }) => `mcp_env|${owner}|${name}`,
  },
  webhook_secrets: {
    owner: 'webhook_id',
    noun: 'webhook',
    context: ({ owner, name }) => `webhook|${owner}|${name}`,
  },
  oauth_tokens: {
    owner: 'credential_set_id',
    noun: 'credential set',
    context: ({ owner, name }) => `oauth|${owner}|${name}`,
  },
  oauth_grants: {
    owner: 'credential_set_id',
    naming: `'grant'`,
    noun: 'credential set',
    context: ({ owner, name }) => `oauth|${owner}|${name}`,
  },
  oauth_sign_ins: {
    owner: 'credential_set_id',
    naming: `encode(state_hash, 'hex')`,
    noun: 'credential set',
    context: ({ owner, name }) => `oauth_sign_in|${owner}|${name}`,
  },
  oauth_clients: {
    owner: 'issuer',
    ownerType: 'text',
    naming: 'redirect_uri',
    noun: 'authorization server',
    context: ({ owner, name }) => `oauth_client|${owner}|${name}`,
  },
  code_hooks: {
    owner: 'id',
    naming: `'secret'`,
    noun: 'code hook',
    context: ({ owner, name }) => `code_hook|${owner}|${name}`,
  },
  gate_arguments: { owner: 'gate_id', noun: 'gate', context: ({ owner, name }) => `gate|${owner}|${name}` },
};

/** The tables that hold sealed values, and the check values of keys. */
export class SealedDatabase {
  /** @param tables those of `TABLES` that exist: a database that is not migrated yet lacks the newer ones */
  constructor(client, tables) {
    this.client = client;
    this.tables = tables;
    this.all = tables
      .map(
        (table) =>
          `SELECT '${table}' AS "table", ${TABLES[table].owner}::text AS owner, ${namingOf(table)} AS name, sealed
           FROM ${table} WHERE sealed IS NOT NULL`,
      )
      .join(' UNION ALL ');
    this.checks = keyChecksIn(
      async (sql, parameters) => (await client.query(sql, parameters)).rows,
      async () => (await client.query(`SELECT FROM (${this.all}) AS stored LIMIT 1`)).rowCount > 0,
    );
  }

  /** Null when the migrations have not run yet. */
  static async in(client) {
    const sql = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL';
    const tables = (await client.query(sql, [Object.keys(TABLES)])).rows.map(({ name }) => name);
    return tables.includes('webhook_secrets') ? new SealedDatabase(client, tables) : null;
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
    await this.client.query(`LOCK TABLE ${this.tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
  }

  /** Returns every sealed value: `{table, owner, name, sealed}`. */
  async values() {
    return (await this.client.query(`${this.all} ORDER BY "table", owner, name`)).rows;
  }

  async replace(values) {
    for (const table of this.tables) await this.replaceIn(table, values);
  }

  async replaceIn(table, values) {
    const { owner, ownerType = 'uuid' } = TABLES[table];
    const own = values.filter((value) => value.table === table);
    const column = (name) => own.map((value) => value[name]);
    await this.client.query(
      `UPDATE ${table} SET sealed = new_sealed
       FROM unnest($1::${ownerType}[], $2::text[], $3::text[]) AS given (given_owner, given_name, new_sealed)
       WHERE ${owner} = given_owner AND ${namingOf(table)} = given_name`,
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
export function contextOf(value) {
  return TABLES[value.table].context(value);
}

/** Returns the name of a value for messages. */
export function nameOf({ table, owner, name }) {
  return `${name} of ${TABLES[table].noun} ${owner}`;
}

function namingOf(table) {
  return TABLES[table].naming ?? 'name';
}
