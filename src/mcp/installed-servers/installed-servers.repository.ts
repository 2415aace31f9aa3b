import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Database } from '../../platform/database/database.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { InstalledServerEntity, type ServerStatus } from './installed-server.entity.js';

/** A server as it is told: with the names of the variables that have a value. */
export type InstalledServerRow = InstalledServerEntity & { configuredEnv: string[] };

/** A server with its sealed values by name, both as of one moment. */
export type SealedServerRow = InstalledServerRow & { sealed: Record<string, string> };

const NAMES = 727_010;

@Injectable()
export class InstalledServersRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<InstalledServerRow[]> {
    return this.database.rows<InstalledServerRow>(`${SELECT_SERVER} ORDER BY s.created_at, s.id`);
  }

  /** @param id of a path: what is no id finds nothing */
  async findById(id: string): Promise<InstalledServerRow | null> {
    if (!isUuid(id)) return null;
    return this.database.row<InstalledServerRow>(`${SELECT_SERVER} WHERE s.id = $1`, [id]);
  }

  async findSealed(id: string): Promise<SealedServerRow | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.prepared<SealedServerRow>('installed-servers.sealed', SELECT_SEALED, [
      id,
    ]);
    return row ?? null;
  }

  /** Waits for whoever changes the server, and holds it until the transaction ends. */
  async lock(id: string): Promise<InstalledServerRow | null> {
    if (!isUuid(id)) return null;
    await this.database.rows('SELECT id FROM installed_servers WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return this.findById(id);
  }

  /** Holds names and slugs against every other transaction that gives some out, and tells those that are taken. */
  async holdNames(): Promise<{ names: Set<string>; slugs: Set<string> }> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [NAMES]);
    const rows = await this.database.rows<{ name: string; slug: string }>(
      'SELECT name, slug FROM installed_servers',
    );
    return { names: new Set(rows.map(({ name }) => name)), slugs: new Set(rows.map(({ slug }) => slug)) };
  }

  async isNameTaken(name: string): Promise<boolean> {
    return (await this.database.row('SELECT 1 FROM installed_servers WHERE name = $1', [name])) !== null;
  }

  async insert(
    server: Pick<InstalledServerEntity, 'id' | 'name' | 'slug' | 'catalogId' | 'entry' | 'status'> & {
      packageLock: string | null;
    },
  ): Promise<void> {
    await this.database.change(
      `INSERT INTO installed_servers (id, name, slug, catalog_id, entry, status, package_lock)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        ...[server.id, server.name, server.slug, server.catalogId, JSON.stringify(server.entry)],
        ...[server.status, server.packageLock],
      ],
    );
  }

  async rename(id: string, name: string): Promise<void> {
    await this.database.change('UPDATE installed_servers SET name = $2, updated_at = now() WHERE id = $1', [
      id,
      name,
    ]);
  }

  /** Voids what was found out with the values that were. */
  async reviseCredentials(id: string): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers SET revision = revision + 1, era_verdict = NULL, updated_at = now() WHERE id = $1`,
      [id],
    );
  }

  /** The server runs another entry from here on. */
  async replaceEntry(id: string, entry: CatalogEntry, packageLock: string | null): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers SET entry = $2, package_lock = $3, revision = revision + 1, era_verdict = NULL, updated_at = now() WHERE id = $1`,
      [id, JSON.stringify(entry), packageLock],
    );
  }

  /** Of the entry that the server had in this revision. Long, so it comes with no row. */
  async packageLock(id: string, revision: number): Promise<string | null> {
    const sql = 'SELECT package_lock AS lock FROM installed_servers WHERE id = $1 AND revision = $2';
    return (await this.database.row<{ lock: string | null }>(sql, [id, revision]))?.lock ?? null;
  }

  /** Changes the status where it is one of `from`; false where it is not, or there is no such server. */
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

  /** Credentials, tools and access fall with it. */
  async delete(id: string): Promise<void> {
    await this.database.change('DELETE FROM installed_servers WHERE id = $1', [id]);
  }

  async ids(): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>('SELECT id FROM installed_servers');
    return new Set(rows.map(({ id }) => id));
  }
}

const COLUMNS = `
  s.id, s.name, s.slug, s.catalog_id AS "catalogId", s.entry, s.status, s.status_reason AS "statusReason",
  s.last_verification AS "lastVerification", s.era_verdict AS "eraVerdict", s.tools_listed_at AS "toolsListedAt",
  s.revision, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  ARRAY(SELECT c.name FROM server_credentials c WHERE c.server_id = s.id ORDER BY c.name) AS "configuredEnv"`;

const SELECT_SERVER = `SELECT ${COLUMNS} FROM installed_servers s`;

const SELECT_SEALED = `
  SELECT ${COLUMNS},
    (SELECT coalesce(json_object_agg(c.name, c.sealed), '{}') FROM server_credentials c WHERE c.server_id = s.id) AS sealed
  FROM installed_servers s WHERE s.id = $1`;
