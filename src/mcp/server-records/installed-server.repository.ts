import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { EraVerdict, ServerLimits } from '../processes/server-description.js';
import type { VerificationRecord } from './verification.js';

export const serverStatuses = ['enabled', 'disabled', 'error'] as const;
export type ServerStatus = (typeof serverStatuses)[number];

/**
 * The last verification with its time, ISO 8601 by the database's clock. `stale` is set when values of the server change
 * afterwards. One of an earlier version of the service has no steps, and does not say who started it.
 */
export type StoredVerification = Omit<VerificationRecord, 'phases' | 'at' | 'by'> &
  Partial<VerificationRecord> & { checkedAt: string; stale?: true };

/** An MCP server that was installed from the catalogue. Its credentials and tools have tables of their own. */
export interface InstalledServerRow {
  id: string;
  name: string;
  /** The prefix of its tools' names; it never changes. */
  slug: string;
  catalogId: string;
  /** The catalogue's entry as it was when the server was installed or upgraded. */
  entry: CatalogEntry;
  status: ServerStatus;
  statusReason: string | null;
  lastVerification: StoredVerification | null;
  /** The protocol era that this revision was found to speak; it is not kept across credentials. */
  eraVerdict: EraVerdict | null;
  /** In place of those of the entry and of the service. */
  limits: ServerLimits;
  /** When its tools were first listed, and approved as they were; null until then. */
  toolsListedAt: Date | null;
  /** Grows with credentials, limits and entry. Work that began with an older revision is void. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  /** The names of the variables that have a value. */
  configuredEnv: string[];
}

/** A server with a credential set and its sealed values by name, read in one statement. */
export type SealedServerRow = InstalledServerRow & {
  sealed: Record<string, string>;
  credentialSetName: string;
  isRevoked: boolean;
  /** Whether a person has signed in with the set, also where that has ended. */
  isSignedIn: boolean;
  /** Of a process with this set. */
  processRevision: string;
};

/** A server to be stored. */
export type NewServerRow = Pick<
  InstalledServerRow,
  'id' | 'name' | 'slug' | 'catalogId' | 'entry' | 'status' | 'limits'
> & { packageLock: string | null };

/** A server whose processes here no longer fit its row, and why. */
export interface OutdatedProcess {
  id: string;
  credentialSetId: string;
  why: 'gone' | 'disabled' | 'credentials' | 'changed';
}

/**
 * SQL for the revision of a process of server `s` with the credential set `cs`. That of the set `default` is the server's,
 * as the release before credential sets has it.
 */
export const PROCESS_REVISION = `CASE WHEN cs.id = s.id THEN s.revision ELSE cs.revision END`;

/** A server that is being replaced runs in two revisions; the older one is already on its way out. */
const OUTDATED = `
  SELECT running.id, running.set_id AS "credentialSetId",
    CASE WHEN s.id IS NULL THEN 'gone' WHEN s.status = 'disabled' THEN 'disabled'
         WHEN cs.id IS NULL OR cs.status = 'revoked' THEN 'credentials' ELSE 'changed' END AS why
  FROM (SELECT id, set_id, max(revision::bigint) AS revision
        FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS live (id, revision, set_id) GROUP BY id, set_id) AS running
  LEFT JOIN installed_servers s ON s.id = running.id LEFT JOIN credential_sets cs ON cs.id = running.set_id
  WHERE s.id IS NULL OR s.status = 'disabled' OR cs.id IS NULL OR cs.status = 'revoked'
     OR ${PROCESS_REVISION} > running.revision`;

/** Key of the advisory lock under which names and slugs are assigned. */
const NAMES_LOCK = 727_010;

const COLUMNS = `
  s.id, s.name, s.slug, s.catalog_id AS "catalogId", s.entry, s.status, s.status_reason AS "statusReason",
  s.last_verification AS "lastVerification", s.era_verdict AS "eraVerdict", s.tools_listed_at AS "toolsListedAt",
  s.limits, s.revision, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  ARRAY(SELECT c.name FROM server_credentials c WHERE c.server_id = s.id ORDER BY c.name) AS "configuredEnv"`;

const SELECT_SERVER = `SELECT ${COLUMNS} FROM installed_servers s`;

const SELECT_SEALED = `
  SELECT ${COLUMNS}, cs.name AS "credentialSetName", cs.status = 'revoked' AS "isRevoked",
    EXISTS (SELECT 1 FROM oauth_grants og WHERE og.credential_set_id = cs.id) AS "isSignedIn",
    (${PROCESS_REVISION})::text AS "processRevision",
    (SELECT coalesce(json_object_agg(c.name, c.sealed), '{}') FROM server_credentials c WHERE c.server_id = cs.id) AS sealed
  FROM installed_servers s JOIN credential_sets cs ON cs.server_id = s.id WHERE s.id = $1 AND cs.id = $2`;

@Injectable()
export class InstalledServersRepository {
  constructor(private readonly database: DatabaseService) {}

  list(): Promise<InstalledServerRow[]> {
    return this.database.rows<InstalledServerRow>(`${SELECT_SERVER} ORDER BY s.created_at, s.id`);
  }

  /** @param id from a path; finds nothing if it is not a UUID */
  async findById(id: string): Promise<InstalledServerRow | null> {
    if (!isUuid(id)) return null;
    return this.database.row<InstalledServerRow>(`${SELECT_SERVER} WHERE s.id = $1`, [id]);
  }

  /** Of the servers that run in this process, in the revisions given, those whose row says otherwise. */
  findOutdated(
    live: { serverId: string; revision: string; credentialSetId: string }[],
  ): Promise<OutdatedProcess[]> {
    const running = [
      live.map(({ serverId }) => serverId),
      live.map(({ revision }) => revision),
      live.map(({ credentialSetId }) => credentialSetId),
    ];
    return this.database.prepared<OutdatedProcess>('mcp.outdated-processes', OUTDATED, running);
  }

  async findSealed(id: string, credentialSetId: string): Promise<SealedServerRow | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.prepared<SealedServerRow>('installed-servers.sealed', SELECT_SEALED, [
      id,
      credentialSetId,
    ]);
    return row ?? null;
  }

  /** Locks the server's row until the transaction ends, and reads it. */
  async lock(id: string): Promise<InstalledServerRow | null> {
    if (!isUuid(id)) return null;
    await this.database.rows('SELECT id FROM installed_servers WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return this.findById(id);
  }

  /** Locks the assignment of names and slugs until the transaction ends, and returns those that are taken. */
  async holdNames(): Promise<{ names: Set<string>; slugs: Set<string> }> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [NAMES_LOCK]);
    const rows = await this.database.rows<{ name: string; slug: string }>(
      'SELECT name, slug FROM installed_servers',
    );
    return { names: new Set(rows.map(({ name }) => name)), slugs: new Set(rows.map(({ slug }) => slug)) };
  }

  async isNameTaken(name: string): Promise<boolean> {
    return (await this.database.row('SELECT 1 FROM installed_servers WHERE name = $1', [name])) !== null;
  }

  async insert(server: NewServerRow): Promise<void> {
    const { id, name, slug, catalogId, entry, status, packageLock, limits } = server;
    await this.database.change(
      `INSERT INTO installed_servers (id, name, slug, catalog_id, entry, status, package_lock, limits)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, name, slug, catalogId, JSON.stringify(entry), status, packageLock, JSON.stringify(limits)],
    );
  }

  async rename(id: string, name: string): Promise<void> {
    await this.database.change('UPDATE installed_servers SET name = $2, updated_at = now() WHERE id = $1', [
      id,
      name,
    ]);
  }

  /**
   * Starts a new revision after a change of values, which invalidates what was learnt with the old ones. The last
   * verification stays and is marked as stale.
   */
  async reviseCredentials(id: string): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers
       SET revision = revision + 1, era_verdict = NULL, updated_at = now(),
           last_verification = last_verification || '{"stale": true}'::jsonb
       WHERE id = $1`,
      [id],
    );
  }

  /** Sets limits as a new revision, because a running process keeps those that it was started with. */
  async setLimits(id: string, limits: ServerLimits): Promise<void> {
    await this.database.change(
      'UPDATE installed_servers SET limits = $2, revision = revision + 1, updated_at = now() WHERE id = $1',
      [id, JSON.stringify(limits)],
    );
    await this.reviseSets(id);
  }

  /** Replaces the entry that the server runs, as a new revision. */
  async replaceEntry(id: string, entry: CatalogEntry, packageLock: string | null): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers SET entry = $2, package_lock = $3, revision = revision + 1, era_verdict = NULL, updated_at = now() WHERE id = $1`,
      [id, JSON.stringify(entry), packageLock],
    );
    await this.reviseSets(id);
  }

  /** The processes of all sets are replaced after a change of the server itself. */
  private async reviseSets(id: string): Promise<void> {
    await this.database.change('UPDATE credential_sets SET revision = revision + 1 WHERE server_id = $1', [
      id,
    ]);
  }

  /** Returns the package lock of this revision's entry. It is long, so rows leave it out. */
  async packageLock(id: string, revision: number): Promise<string | null> {
    const sql = 'SELECT package_lock AS lock FROM installed_servers WHERE id = $1 AND revision = $2';
    return (await this.database.row<{ lock: string | null }>(sql, [id, revision]))?.lock ?? null;
  }

  /** Changes the status if it is one of `from`; returns false if it is not, or if there is no such server. */
  async changeStatus(
    id: string,
    from: readonly ServerStatus[],
    to: ServerStatus,
    reason: string | null,
  ): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE installed_servers SET status = $3, status_reason = $4, updated_at = now() WHERE id = $1 AND status = ANY($2::text[])`,
      [id, from, to, reason],
    );
    return changed === 1;
  }

  /** Deletes the row; the database deletes credentials, tools and access with it. */
  async delete(id: string): Promise<void> {
    await this.database.change('DELETE FROM installed_servers WHERE id = $1', [id]);
  }

  /** Returns the revision of a process with this set; null where the server or the set is gone. */
  async processRevision(id: string, credentialSetId: string): Promise<string | null> {
    const row = await this.database.row<{ revision: string }>(
      `SELECT (${PROCESS_REVISION})::text AS revision FROM installed_servers s JOIN credential_sets cs ON cs.server_id = s.id
       WHERE s.id = $1 AND cs.id = $2`,
      [id, credentialSetId],
    );
    return row?.revision ?? null;
  }

  async ids(): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>('SELECT id FROM installed_servers');
    return new Set(rows.map(({ id }) => id));
  }
}
