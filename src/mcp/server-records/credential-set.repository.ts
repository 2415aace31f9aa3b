import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { CredentialSet } from './server-records.entities.js';

/** A credential set as it is read. */
export interface CredentialSetRow extends Pick<
  CredentialSet,
  'id' | 'serverId' | 'name' | 'status' | 'revision'
> {
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

const SELECT_SET = `
  SELECT cs.id, cs.server_id AS "serverId", cs.name, cs.status, cs.revision,
    ARRAY(SELECT c.name FROM server_credentials c WHERE c.server_id = cs.id ORDER BY c.name) AS "configuredEnv",
    CASE WHEN og.credential_set_id IS NOT NULL THEN json_build_object('issuer', og.issuer, 'by', u.name, 'scope', og.scope,
      'at', to_char(og.granted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS "signIn"
  FROM credential_sets cs LEFT JOIN oauth_grants og ON og.credential_set_id = cs.id LEFT JOIN users u ON u.id = og.granted_by`;

/** What every new revision changes: the set is tried again, or revoked. */
const REVISED = { revision: () => 'revision + 1', statusReason: null, updatedAt: () => 'now()' };

/**
 * Beside what TypeORM gives, the statements about credential sets that stay SQL (decision 0053). A caller that changes one has
 * locked the row of its server.
 */
@Injectable()
export class CredentialSetRepository extends Repository<CredentialSet> {
  constructor(@InjectDataSource() source: DataSource) {
    super(CredentialSet, source.manager);
  }

  /** SQL: variables and sign-in in the same read. Returns the sets of a server, `default` first, the others by name. */
  list(serverId: string): Promise<CredentialSetRow[]> {
    return this.query(
      `${SELECT_SET} WHERE cs.server_id = $1 ORDER BY cs.id <> cs.server_id, cs.name COLLATE "C"`,
      [serverId],
    );
  }

  /** SQL: variables and sign-in in the same read. */
  async findByName(serverId: string, name: string): Promise<CredentialSetRow | null> {
    const sql = `${SELECT_SET} WHERE cs.server_id = $1 AND cs.name = $2`;
    const [row] = await this.query<CredentialSetRow[]>(sql, [serverId, name]);
    return row ?? null;
  }

  /** SQL: variables and sign-in in the same read. */
  async findById(id: string): Promise<CredentialSetRow | null> {
    const [row] = await this.query<CredentialSetRow[]>(`${SELECT_SET} WHERE cs.id = $1`, [id]);
    return row ?? null;
  }

  /** Locks the row of a set until the transaction ends, and reads it. */
  async lock(id: string): Promise<CredentialSetRow | null> {
    await this.findOne({ select: { id: true }, where: { id }, lock: { mode: 'for_no_key_update' } });
    return this.findById(id);
  }

  /** Starts a new revision after a change of values. */
  async revise(id: string, status: 'ready' | 'revoked' = 'ready'): Promise<void> {
    await this.update({ id }, { ...REVISED, status });
  }

  /** Marks a set that does not work for now. Returns false where it was marked or revoked already. */
  async mark(id: string, status: 'error' | 'sign_in_needed', statusReason: string): Promise<boolean> {
    const change = { status, statusReason, updatedAt: () => 'now()' };
    const { affected } = await this.update({ id, status: 'ready' }, change);
    return affected === 1;
  }

  /** Ends the mark of a set that works although no one has signed in. */
  async workWithoutSignIn(id: string): Promise<void> {
    await this.createQueryBuilder()
      .update()
      .set({ status: 'ready', statusReason: null, updatedAt: () => 'now()' })
      .where({ id, status: 'sign_in_needed' })
      .andWhere('NOT EXISTS (SELECT 1 FROM oauth_grants og WHERE og.credential_set_id = :id)', { id })
      .execute();
  }

  /** SQL: DELETE … USING. Deletes the values of all variables but these, in all sets of a server. */
  async keepVariables(serverId: string, names: string[]): Promise<void> {
    await this.query(
      `DELETE FROM server_credentials c USING credential_sets cs
       WHERE cs.server_id = $1 AND c.server_id = cs.id AND c.name <> ALL ($2::text[])`,
      [serverId, names],
    );
  }

  /** SQL: a report. Returns how many sets a server has, and the bytes of their sealed values. */
  async sizeOf(serverId: string): Promise<{ sets: number; bytes: number }> {
    const [size] = await this.query<{ sets: number; bytes: number }[]>(
      `SELECT count(DISTINCT cs.id)::int AS sets, coalesce(sum(octet_length(c.sealed)), 0)::int AS bytes
       FROM credential_sets cs LEFT JOIN server_credentials c ON c.server_id = cs.id WHERE cs.server_id = $1`,
      [serverId],
    );
    return size!;
  }
}
