import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Any, DataSource, IsNull, Repository } from 'typeorm';
import { pick } from '../../platform/http/pick.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { hashOf, type ToolDefinition } from '../server-records/tool-definition.js';
import { ServerTool } from './tool.entities.js';

/** The fields of a stored tool that determine its state. */
export type ToolFacts = Pick<ServerTool, 'present' | 'hash' | 'approvedHash' | 'invalidReason'>;

export const toolStates = ['approved', 'changed', 'new', 'removed', 'invalid'] as const;
export type ToolState = (typeof toolStates)[number];

/** Returns the state of a tool; agents see approved tools only (contract §3.3). */
export function stateOf({ present, hash, approvedHash, invalidReason }: ToolFacts): ToolState {
  if (!present) return 'removed';
  if (invalidReason !== null) return 'invalid';
  if (approvedHash === null) return 'new';
  return approvedHash === hash ? 'approved' : 'changed';
}

/** Whether a person can settle the tool by an approval: of its text, or of its removal. */
export function isOpen(tool: ToolFacts): boolean {
  return !['approved', 'invalid'].includes(stateOf(tool));
}

/** A stored tool as it is read, with its definition as its server wrote it. */
export type ServerToolRow = Omit<ServerTool, 'serverId' | 'written' | 'writtenFor' | 'position'>;

/** What a listing is compared with. */
export interface StoredTool extends ToolFacts, Pick<ServerTool, 'name' | 'position'> {
  /** MD5 of what agents get; null where an earlier release stored the definition. */
  writtenDigest: string | null;
}

/** What is known of a tool: as it was listed last, and as it was approved before it changed. */
export interface KnownTexts {
  last: ToolDefinition;
  approved: ToolDefinition | null;
  /** What agents got of it, which may name other folders. */
  approvedWritten: ToolDefinition | null;
}

export type ApprovedTexts = Pick<ServerTool, 'approvedHash' | 'approvedDefinition' | 'approvedWritten'>;

/** Returns what was approved of a tool that has changed since; null where it is not known, which its hash says. */
export function approvedTextOf(row: ApprovedTexts): ToolDefinition | null {
  const { approvedWritten, approvedDefinition, approvedHash } = row;
  return [approvedWritten, approvedDefinition].find((one) => one && hashOf(one) === approvedHash) ?? null;
}

/** A tool that an earlier release stored. */
export type UncheckedTool = Pick<ServerTool, 'serverId' | 'name' | 'hash' | 'position' | 'definition'>;

/** A tool of a listing. */
export interface ListedToolRow extends WrittenTool {
  definition: ToolDefinition;
}

/** How a tool is written. */
export interface WrittenTool extends Pick<ServerTool, 'name' | 'hash' | 'invalidReason' | 'position'> {
  /** The definition as JSON, as agents get it. */
  written: string;
}

/**
 * SQL for the definition of tool `t` as its server wrote it. One that an earlier release stored has lost the order of its
 * members.
 */
export const WRITTEN = `CASE WHEN t.written_for = t.hash THEN t.written ELSE t.definition::json END`;

const LISTED = `json_to_recordset($2::json) AS listed
  (name text, definition jsonb, written json, hash text, "invalidReason" text, position integer)`;

const WRITTEN_MEMBERS = ['name', 'hash', 'written', 'invalidReason', 'position'] as const;

/** Beside what TypeORM gives, the statements about tools that stay SQL (decision 0053). */
@Injectable()
export class ServerToolRepository extends Repository<ServerTool> {
  constructor(@InjectDataSource() source: DataSource) {
    super(ServerTool, source.manager);
  }

  /** SQL: the row says which column has the definition. Returns the tools of a server in its order. */
  list(serverId: string): Promise<ServerToolRow[]> {
    return this.query(
      `SELECT name, ${WRITTEN} AS definition, hash, approved_hash AS "approvedHash",
              approved_definition AS "approvedDefinition", approved_written AS "approvedWritten",
              approved_by AS "approvedBy", present, invalid_reason AS "invalidReason",
              first_seen_at AS "firstSeenAt", changed_at AS "changedAt"
       FROM server_tools t WHERE server_id = $1 ORDER BY position, name`,
      [serverId],
    );
  }

  /** SQL: digests. Returns what decides about a listing. Definitions are read for those alone that differ. */
  stored(serverId: string): Promise<StoredTool[]> {
    return this.query(
      `SELECT name, hash, approved_hash AS "approvedHash", present, invalid_reason AS "invalidReason", position,
              CASE WHEN written_for = hash THEN md5(written::text) END AS "writtenDigest"
       FROM server_tools WHERE server_id = $1 ORDER BY name`,
      [serverId],
    );
  }

  /** SQL: the row says which columns have the definitions. Returns those with these names as they were written. */
  async definitions(serverId: string, names: string[]): Promise<Map<string, KnownTexts>> {
    const rows = await this.query<({ name: string; last: ToolDefinition } & ApprovedTexts)[]>(
      `SELECT name, ${WRITTEN} AS last, approved_hash AS "approvedHash",
              approved_definition AS "approvedDefinition", approved_written AS "approvedWritten"
       FROM server_tools t WHERE server_id = $1 AND name = ANY($2::text[])`,
      [serverId, names],
    );
    return new Map(
      rows.map((row) => [
        row.name,
        { ...pick(row, 'last', 'approvedWritten'), approved: approvedTextOf(row) },
      ]),
    );
  }

  /** SQL: many rows at once, in their own text. Adds new tools and updates the definition of known ones; approvals stay as they are. */
  async put(serverId: string, tools: ListedToolRow[]): Promise<void> {
    await this.query(
      `INSERT INTO server_tools AS t (server_id, name, definition, hash, written, written_for, invalid_reason, position)
       SELECT $1, name, definition, hash, written, hash, "invalidReason", position FROM ${LISTED}
       ON CONFLICT (server_id, name) DO UPDATE
       SET approved_definition = CASE WHEN t.approved_hash = t.hash THEN t.definition ELSE t.approved_definition END,
           approved_written = CASE WHEN t.approved_hash = t.hash THEN ${WRITTEN} ELSE t.approved_written END,
           definition = excluded.definition, hash = excluded.hash, written = excluded.written,
           written_for = excluded.written_for, invalid_reason = excluded.invalid_reason,
           position = excluded.position, present = true, changed_at = now()`,
      [serverId, rowsOf(tools)],
    );
  }

  /**
   * SQL: many rows at once, in their own text. Keeps how the server writes tools that have not changed, and their places.
   * @returns the number of tools that still have their hash
   */
  async rewrite(serverId: string, tools: WrittenTool[]): Promise<number> {
    const [, changed] = await this.query<[unknown, number]>(
      `UPDATE server_tools t SET written = listed.written, written_for = listed.hash,
         invalid_reason = listed."invalidReason", position = listed.position
       FROM ${LISTED} WHERE t.server_id = $1 AND t.name = listed.name AND t.hash = listed.hash`,
      [serverId, rowsOf(tools.map((tool) => pick(tool, ...WRITTEN_MEMBERS)))],
    );
    return changed;
  }

  /**
   * Marks tools that are no longer listed. Those that were never approved are deleted: a server that lists new names each
   * time would fill the table.
   */
  async markRemoved(serverId: string, names: string[]): Promise<void> {
    const tools = { serverId, name: Any(names) };
    await this.delete({ ...tools, approvedHash: IsNull() });
    await this.update(tools, { present: false, changedAt: () => 'now()' });
  }

  /** Approves the valid tools as they are now, and deletes those that the server no longer lists. */
  async approve(serverId: string, names: string[], approvedBy: Actor): Promise<void> {
    const tools = { serverId, name: Any(names) };
    await this.update(
      { ...tools, present: true, invalidReason: IsNull() },
      { approvedHash: () => 'hash', approvedBy },
    );
    await this.delete({ ...tools, present: false });
  }

  /** Returns some of the tools that an earlier release stored without a check of their definitions. */
  unchecked(most: number): Promise<UncheckedTool[]> {
    return this.createQueryBuilder('t')
      .select(['t.serverId', 't.name', 't.hash', 't.position', 't.definition'])
      .where('t.written_for IS DISTINCT FROM t.hash')
      .limit(most)
      .getMany();
  }
}

/** The definitions are in it as they were written, whatever a parser of JavaScript makes of them. */
function rowsOf(tools: readonly WrittenTool[]): string {
  const rows = tools.map(
    ({ written, ...row }) => `${JSON.stringify(row).slice(0, -1)},"written":${written}}`,
  );
  return `[${rows.join(',')}]`;
}
