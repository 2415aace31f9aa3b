import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { missingVariables } from '../catalog/variable-value.js';

/** The set that every server has. Its id is the id of its server. */
export const DEFAULT_SET = 'default';

export const credentialSetStates = [
  'ready',
  'missing_variables',
  'sign_in_needed',
  'error',
  'revoked',
] as const;
export type CredentialSetState = (typeof credentialSetStates)[number];

/** Values of the variables of one server, for the agents whose grant names the set (contract §3.5). */
export interface CredentialSetRow {
  id: string;
  serverId: string;
  name: string;
  /**
   * Why an enabled server cannot be used with the set: a person has to sign in, the server crashed too often, or the set was
   * revoked.
   */
  status: 'ready' | 'sign_in_needed' | 'error' | 'revoked';
  /** Grows with its values, and with the entry and the limits of its server. */
  revision: number;
  /** The names of the variables that have a value. */
  configuredEnv: string[];
  /** The last sign-in at the authorization server of the server, also one that has ended; null where there was none. */
  signIn: SignInFacts | null;
}

/** Who signed in where. */
export interface SignInFacts {
  issuer: string;
  /** The name of the user; null where the user was deleted. */
  by: string | null;
  at: string;
  scope: string | null;
}

/** Returns what an operator has to know about a set. */
export function stateOf(
  { status, configuredEnv }: CredentialSetRow,
  entry: CatalogEntry,
): CredentialSetState {
  if (status !== 'ready') return status;
  return missingVariables(entry, configuredEnv).length > 0 ? 'missing_variables' : 'ready';
}

const SELECT_SET = `
  SELECT cs.id, cs.server_id AS "serverId", cs.name, cs.status, cs.revision,
    ARRAY(SELECT c.name FROM server_credentials c WHERE c.server_id = cs.id ORDER BY c.name) AS "configuredEnv",
    CASE WHEN og.credential_set_id IS NOT NULL THEN json_build_object('issuer', og.issuer, 'by', u.name, 'scope', og.scope,
      'at', to_char(og.granted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS "signIn"
  FROM credential_sets cs LEFT JOIN oauth_grants og ON og.credential_set_id = cs.id LEFT JOIN users u ON u.id = og.granted_by`;

/** Stores credential sets. A caller that changes one has locked the row of its server. */
@Injectable()
export class CredentialSetsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the sets of a server, `default` first, the others by name. */
  list(serverId: string): Promise<CredentialSetRow[]> {
    return this.database.rows<CredentialSetRow>(
      `${SELECT_SET} WHERE cs.server_id = $1 ORDER BY cs.id <> cs.server_id, cs.name COLLATE "C"`,
      [serverId],
    );
  }

  find(serverId: string, name: string): Promise<CredentialSetRow | null> {
    return this.database.row<CredentialSetRow>(`${SELECT_SET} WHERE cs.server_id = $1 AND cs.name = $2`, [
      serverId,
      name,
    ]);
  }

  findById(id: string): Promise<CredentialSetRow | null> {
    return this.database.row<CredentialSetRow>(`${SELECT_SET} WHERE cs.id = $1`, [id]);
  }

  /** Locks the row of a set until the transaction ends, and reads it. */
  async lock(id: string): Promise<CredentialSetRow | null> {
    await this.database.rows('SELECT id FROM credential_sets WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return this.findById(id);
  }

  async insert(id: string, serverId: string, name: string): Promise<void> {
    await this.database.change('INSERT INTO credential_sets (id, server_id, name) VALUES ($1, $2, $3)', [
      id,
      serverId,
      name,
    ]);
  }

  /** Starts a new revision after a change of values: the set is tried again. */
  async revise(id: string): Promise<void> {
    await this.database.change(
      `UPDATE credential_sets SET revision = revision + 1, status = 'ready', status_reason = NULL, updated_at = now()
       WHERE id = $1`,
      [id],
    );
  }

  /** Deletes the values of a set, as a new revision. */
  async revoke(id: string): Promise<void> {
    await this.database.change('DELETE FROM server_credentials WHERE server_id = $1', [id]);
    await this.database.change(
      `UPDATE credential_sets SET revision = revision + 1, status = 'revoked', status_reason = NULL, updated_at = now()
       WHERE id = $1`,
      [id],
    );
  }

  /** Marks a set with which the server does not work. Returns false where it was marked or revoked already. */
  async fail(id: string, reason: string): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE credential_sets SET status = 'error', status_reason = $2, updated_at = now()
       WHERE id = $1 AND status = 'ready'`,
      [id, reason],
    );
    return changed === 1;
  }

  /** Marks a set with which a person has to sign in. Returns false where it was marked or revoked already. */
  async needSignIn(id: string, reason: string): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE credential_sets SET status = 'sign_in_needed', status_reason = $2, updated_at = now()
       WHERE id = $1 AND status = 'ready'`,
      [id, reason],
    );
    return changed === 1;
  }

  /** Ends the mark of a set that works although no one has signed in. */
  async workWithoutSignIn(id: string): Promise<void> {
    await this.database.change(
      `UPDATE credential_sets cs SET status = 'ready', status_reason = NULL, updated_at = now()
       WHERE id = $1 AND status = 'sign_in_needed'
         AND NOT EXISTS (SELECT 1 FROM oauth_grants og WHERE og.credential_set_id = cs.id)`,
      [id],
    );
  }

  /** Deletes the values of all variables but these, in all sets of a server. */
  async keepVariables(serverId: string, names: string[]): Promise<void> {
    await this.database.change(
      `DELETE FROM server_credentials c USING credential_sets cs
       WHERE cs.server_id = $1 AND c.server_id = cs.id AND c.name <> ALL ($2::text[])`,
      [serverId, names],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.change('DELETE FROM credential_sets WHERE id = $1', [id]);
  }

  /** Returns how many sets a server has, and the bytes of their sealed values. */
  async sizeOf(serverId: string): Promise<{ sets: number; bytes: number }> {
    const size = await this.database.row<{ sets: number; bytes: number }>(
      `SELECT count(DISTINCT cs.id)::int AS sets, coalesce(sum(octet_length(c.sealed)), 0)::int AS bytes
       FROM credential_sets cs LEFT JOIN server_credentials c ON c.server_id = cs.id WHERE cs.server_id = $1`,
      [serverId],
    );
    return size!;
  }
}
