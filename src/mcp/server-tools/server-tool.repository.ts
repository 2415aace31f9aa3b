import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { pick } from '../../platform/http/pick.js';
import type { Actor } from '../../platform/journal/journal-context.js';
import type { ToolDefinition } from '../server-records/tool-definition.js';

/** The fields of a stored tool that determine its state. */
export interface ToolFacts {
  present: boolean;
  hash: string;
  approvedHash: string | null;
  /** Why clients of agents would refuse the definition; null for a valid one. */
  invalidReason: string | null;
}

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

/** A stored tool. It is approved if it is present, valid and `approvedHash` equals `hash`. */
export interface ServerToolRow extends ToolFacts {
  name: string;
  definition: ToolDefinition;
  /** What was approved, kept since the tool changed; null for a tool that never changed after an approval. */
  approvedDefinition: ToolDefinition | null;
  /** The same with its members in the order of the server; null where an earlier release stored it. */
  approvedWritten: ToolDefinition | null;
  approvedBy: Actor | null;
  firstSeenAt: Date;
  changedAt: Date | null;
}

/** What a listing is compared with. */
export interface StoredTool extends ToolFacts {
  name: string;
  position: number;
  /** MD5 of what agents get; null where an earlier release stored the definition. */
  writtenDigest: string | null;
}

/** A tool that an earlier release stored. */
export interface UncheckedTool {
  serverId: string;
  name: string;
  hash: string;
  position: number;
  definition: ToolDefinition;
}

/** A tool of a listing. */
export interface ListedToolRow extends WrittenTool {
  definition: ToolDefinition;
}

/** How a tool is written. */
export interface WrittenTool {
  name: string;
  hash: string;
  /** The definition as JSON, as agents get it. */
  written: string;
  invalidReason: string | null;
  position: number;
}

/**
 * SQL for the definition of tool `t` as its server wrote it. One that an earlier release stored has lost the order of its
 * members.
 */
export const WRITTEN = `CASE WHEN t.written_for = t.hash THEN t.written ELSE t.definition::json END`;

const LISTED = `json_to_recordset($2::json) AS listed
  (name text, definition jsonb, written json, hash text, "invalidReason" text, position integer)`;

const WRITTEN_MEMBERS = ['name', 'hash', 'written', 'invalidReason', 'position'] as const;

@Injectable()
export class ServerToolsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the tools of a server in its order. */
  list(serverId: string): Promise<ServerToolRow[]> {
    return this.database.rows<ServerToolRow>(
      `SELECT name, ${WRITTEN} AS definition, hash, approved_hash AS "approvedHash",
              approved_definition AS "approvedDefinition", approved_written AS "approvedWritten",
              approved_by AS "approvedBy", present, invalid_reason AS "invalidReason",
              first_seen_at AS "firstSeenAt", changed_at AS "changedAt"
       FROM server_tools t WHERE server_id = $1 ORDER BY position, name`,
      [serverId],
    );
  }

  /** Returns what decides about a listing. Definitions are read for those alone that differ. */
  stored(serverId: string): Promise<StoredTool[]> {
    return this.database.rows<StoredTool>(
      `SELECT name, hash, approved_hash AS "approvedHash", present, invalid_reason AS "invalidReason", position,
              CASE WHEN written_for = hash THEN md5(written::text) END AS "writtenDigest"
       FROM server_tools WHERE server_id = $1 ORDER BY name`,
      [serverId],
    );
  }

  /** Returns the definitions with these names as they were written. */
  async definitions(serverId: string, names: string[]): Promise<Map<string, ToolDefinition>> {
    const rows = await this.database.rows<{ name: string; definition: ToolDefinition }>(
      `SELECT name, ${WRITTEN} AS definition FROM server_tools t WHERE server_id = $1 AND name = ANY($2::text[])`,
      [serverId, names],
    );
    return new Map(rows.map(({ name, definition }) => [name, definition]));
  }

  /** Adds new tools and updates the definition of known ones; approvals stay as they are. */
  async put(serverId: string, tools: ListedToolRow[]): Promise<void> {
    await this.database.change(
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
   * Keeps how the server writes tools that have not changed, and their places.
   * @returns the number of tools that still have their hash
   */
  rewrite(serverId: string, tools: WrittenTool[]): Promise<number> {
    return this.database.change(
      `UPDATE server_tools t SET written = listed.written, written_for = listed.hash,
         invalid_reason = listed."invalidReason", position = listed.position
       FROM ${LISTED} WHERE t.server_id = $1 AND t.name = listed.name AND t.hash = listed.hash`,
      [serverId, rowsOf(tools.map((tool) => pick(tool, ...WRITTEN_MEMBERS)))],
    );
  }

  /**
   * Marks tools that are no longer listed. Those that were never approved are deleted: a server that lists new names each
   * time would fill the table.
   */
  async markRemoved(serverId: string, names: string[]): Promise<void> {
    await this.database.change(
      `DELETE FROM server_tools WHERE server_id = $1 AND name = ANY($2::text[]) AND approved_hash IS NULL`,
      [serverId, names],
    );
    await this.database.change(
      `UPDATE server_tools SET present = false, changed_at = now() WHERE server_id = $1 AND name = ANY($2::text[])`,
      [serverId, names],
    );
  }

  /** Approves the valid tools as they are now, and deletes those that the server no longer lists. */
  async approve(serverId: string, names: string[], approvedBy: Actor): Promise<void> {
    await this.database.change(
      `UPDATE server_tools SET approved_hash = hash, approved_by = $3
       WHERE server_id = $1 AND name = ANY($2::text[]) AND present AND invalid_reason IS NULL`,
      [serverId, names, JSON.stringify(approvedBy)],
    );
    await this.database.change(
      `DELETE FROM server_tools WHERE server_id = $1 AND name = ANY($2::text[]) AND NOT present`,
      [serverId, names],
    );
  }

  /** Records that the server's tools were listed; returns true the first time. */
  async markListed(serverId: string): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE installed_servers SET tools_listed_at = now() WHERE id = $1 AND tools_listed_at IS NULL`,
      [serverId],
    );
    return changed === 1;
  }

  /** Returns some of the tools that an earlier release stored without a check of their definitions. */
  unchecked(most: number): Promise<UncheckedTool[]> {
    return this.database.rows<UncheckedTool>(
      `SELECT server_id AS "serverId", name, hash, position, definition FROM server_tools
       WHERE written_for IS DISTINCT FROM hash LIMIT $1`,
      [most],
    );
  }
}

/** The definitions are in it as they were written, whatever a parser of JavaScript makes of them. */
function rowsOf(tools: readonly WrittenTool[]): string {
  const rows = tools.map(
    ({ written, ...row }) => `${JSON.stringify(row).slice(0, -1)},"written":${written}}`,
  );
  return `[${rows.join(',')}]`;
}
