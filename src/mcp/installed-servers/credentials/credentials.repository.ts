import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';

const SEALED_TABLES = [
  'server_credentials',
  'webhook_secrets',
  'gate_arguments',
  'oauth_tokens',
  'oauth_clients',
  'oauth_sign_ins',
  'oauth_grants',
];

/** Stores sealed values by credential set and variable. The column `server_id` is the id of a set (contract §3.5). */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly database: DatabaseService) {}

  async put(setId: string, values: { name: string; sealed: string }[]): Promise<void> {
    await this.database.change(
      `INSERT INTO server_credentials (server_id, name, sealed)
       SELECT $1, name, sealed FROM json_to_recordset($2::json) AS given (name text, sealed text)
       ON CONFLICT (server_id, name) DO UPDATE SET sealed = excluded.sealed`,
      [setId, JSON.stringify(values)],
    );
  }

  async remove(setId: string, names: string[]): Promise<void> {
    await this.database.change(
      `DELETE FROM server_credentials WHERE server_id = $1 AND name = ANY($2::text[])`,
      [setId, names],
    );
  }

  /** Returns whether this database holds any sealed value, including secrets of webhooks, arguments of calls and sign-ins. */
  async exist(): Promise<boolean> {
    const sealed = SEALED_TABLES.map((table) => `SELECT 1 FROM ${table} WHERE sealed IS NOT NULL`).join(
      ' UNION ALL ',
    );
    return (await this.database.row(`${sealed} LIMIT 1`)) !== null;
  }
}
