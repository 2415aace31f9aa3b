import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { prepared } from '../../platform/database/service.client.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { ServerLimits } from '../processes/server-description-and-limits.js';
import { CredentialSet, InstalledServer, type ServerStatus } from './server-records.entities.js';

/** An installed server as it is read. */
export interface InstalledServerRow extends Omit<InstalledServer, 'packageLock'> {
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
const OUTDATED = prepared(
  'mcp.outdated-processes',
  `
  SELECT running.id, running.set_id AS "credentialSetId",
    CASE WHEN s.id IS NULL THEN 'gone' WHEN s.status = 'disabled' THEN 'disabled'
         WHEN cs.id IS NULL OR cs.status = 'revoked' THEN 'credentials' ELSE 'changed' END AS why
  FROM (SELECT id, set_id, max(revision::bigint) AS revision
        FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS live (id, revision, set_id) GROUP BY id, set_id) AS running
  LEFT JOIN installed_servers s ON s.id = running.id LEFT JOIN credential_sets cs ON cs.id = running.set_id
  WHERE s.id IS NULL OR s.status = 'disabled' OR cs.id IS NULL OR cs.status = 'revoked'
     OR ${PROCESS_REVISION} > running.revision`,
);

/** Key of the advisory lock under which names and slugs are assigned. */
const NAMES_LOCK = 727_010;

/** What every new revision changes. */
const REVISED = { revision: () => 'revision + 1', updatedAt: () => 'now()' };

const COLUMNS = `
  s.id, s.name, s.slug, s.catalog_id AS "catalogId", s.entry, s.status, s.status_reason AS "statusReason",
  s.last_verification AS "lastVerification", s.era_verdict AS "eraVerdict", s.tools_listed_at AS "toolsListedAt",
  s.limits, s.revision, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  ARRAY(SELECT c.name FROM server_credentials c WHERE c.server_id = s.id ORDER BY c.name) AS "configuredEnv"`;

const SELECT_SERVER = `SELECT ${COLUMNS} FROM installed_servers s`;

const SELECT_SEALED = prepared(
  'installed-servers.sealed',
  `
  SELECT ${COLUMNS}, cs.name AS "credentialSetName", cs.status = 'revoked' AS "isRevoked",
    EXISTS (SELECT 1 FROM oauth_grants og WHERE og.credential_set_id = cs.id) AS "isSignedIn",
    (${PROCESS_REVISION})::text AS "processRevision",
    (SELECT coalesce(json_object_agg(c.name, c.sealed), '{}') FROM server_credentials c WHERE c.server_id = cs.id) AS sealed
  FROM installed_servers s JOIN credential_sets cs ON cs.server_id = s.id WHERE s.id = $1 AND cs.id = $2`,
);

/** Beside what TypeORM gives, the statements about servers that stay SQL (decision 0053). */
@Injectable()
export class InstalledServerRepository extends Repository<InstalledServer> {
  constructor(@InjectDataSource() source: DataSource) {
    super(InstalledServer, source.manager);
  }

  /** SQL: the names of the variables in the same read. */
  list(): Promise<InstalledServerRow[]> {
    return this.query(`${SELECT_SERVER} ORDER BY s.created_at, s.id`);
  }

  /** SQL: the names of the variables in the same read. @param id from a path; finds nothing if it is not a UUID */
  async findById(id: string): Promise<InstalledServerRow | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.query<InstalledServerRow[]>(`${SELECT_SERVER} WHERE s.id = $1`, [id]);
    return row ?? null;
  }

  /** SQL: many rows at once, every second. Of the servers that run here, in the revisions given, those whose row says otherwise. */
  findOutdated(
    live: { serverId: string; revision: string; credentialSetId: string }[],
  ): Promise<OutdatedProcess[]> {
    return this.query(OUTDATED, [
      live.map(({ serverId }) => serverId),
      live.map(({ revision }) => revision),
      live.map(({ credentialSetId }) => credentialSetId),
    ]);
  }

  /** SQL: calls of tools read it. */
  async findSealed(id: string, credentialSetId: string): Promise<SealedServerRow | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.query<SealedServerRow[]>(SELECT_SEALED, [id, credentialSetId]);
    return row ?? null;
  }

  /** Locks the server's row until the transaction ends, and reads it. */
  async lock(id: string): Promise<InstalledServerRow | null> {
    if (!isUuid(id)) return null;
    await this.findOne({ select: { id: true }, where: { id }, lock: { mode: 'for_no_key_update' } });
    return this.findById(id);
  }

  /** SQL: an advisory lock. Holds the assignment of names and slugs until the transaction ends, and returns those taken. */
  async holdNames(): Promise<{ names: Set<string>; slugs: Set<string> }> {
    await this.query('SELECT pg_advisory_xact_lock($1)', [NAMES_LOCK]);
    const servers = await this.find({ select: { id: true, name: true, slug: true } });
    return {
      names: new Set(servers.map(({ name }) => name)),
      slugs: new Set(servers.map(({ slug }) => slug)),
    };
  }

  /**
   * Starts a new revision after a change of values, which invalidates what was learnt with the old ones. The last
   * verification stays and is marked as stale.
   */
  async reviseCredentials(id: string): Promise<void> {
    await this.update(
      { id },
      {
        ...REVISED,
        eraVerdict: null,
        lastVerification: () => `last_verification || '{"stale": true}'::jsonb`,
      },
    );
  }

  /** Sets limits as a new revision, because a running process keeps those that it was started with. */
  async setLimits(id: string, limits: ServerLimits): Promise<void> {
    await this.update({ id }, { ...REVISED, limits });
    await this.reviseSets(id);
  }

  /** Replaces the entry that the server runs, as a new revision. */
  async replaceEntry(id: string, entry: CatalogEntry, packageLock: string | null): Promise<void> {
    await this.update({ id }, { ...REVISED, entry: entry as object, packageLock, eraVerdict: null });
    await this.reviseSets(id);
  }

  /** Starts a new revision of the same values and entry, so that every service process replaces the server processes it runs. */
  async replaceProcesses(id: string): Promise<void> {
    await this.update({ id }, { revision: () => 'revision + 1' });
    await this.reviseSets(id);
  }

  /** The processes of all sets are replaced after a change of the server itself. */
  private async reviseSets(serverId: string): Promise<void> {
    await this.manager.update(CredentialSet, { serverId }, { revision: () => 'revision + 1' });
  }

  /** Changes the status if it is one of `from`; returns false if it is not, or if there is no such server. */
  async changeStatus(
    id: string,
    from: readonly ServerStatus[],
    status: ServerStatus,
    statusReason: string | null,
  ): Promise<boolean> {
    const change = { status, statusReason, updatedAt: () => 'now()' };
    const { affected } = await this.update({ id, status: In(from) }, change);
    return affected === 1;
  }

  /** SQL: a join. Returns the revision of a process with this set; null where the server or the set is gone. */
  async processRevision(id: string, credentialSetId: string): Promise<string | null> {
    const [row] = await this.query<{ revision: string }[]>(
      `SELECT (${PROCESS_REVISION})::text AS revision FROM installed_servers s JOIN credential_sets cs ON cs.server_id = s.id
       WHERE s.id = $1 AND cs.id = $2`,
      [id, credentialSetId],
    );
    return row?.revision ?? null;
  }
}
