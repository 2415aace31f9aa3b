import { Injectable } from '@nestjs/common';
import { jsonText } from '../../../platform/json/exact-json.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Actor } from '../../../platform/journal/journal-context.js';
import type { ToolDefinition } from './tool-definition.js';

/** A stored tool. It is approved if it is present and `approvedHash` equals `hash`. */
export interface ServerToolRow {
  name: string;
  definition: ToolDefinition;
  hash: string;
  approvedHash: string | null;
  /** What was approved, kept since the tool changed; null for a tool that never changed after an approval. */
  approvedDefinition: ToolDefinition | null;
  approvedBy: Actor | null;
  present: boolean;
  firstSeenAt: Date;
  changedAt: Date | null;
}

/** A tool of a listing. */
export interface ListedToolRow {
  name: string;
  definition: ToolDefinition;
  hash: string;
}

@Injectable()
export class ServerToolsRepository {
  constructor(private readonly database: DatabaseService) {}

  list(serverId: string): Promise<ServerToolRow[]> {
    return this.database.rows<ServerToolRow>(
      `SELECT name, definition, hash, approved_hash AS "approvedHash",
              approved_definition AS "approvedDefinition", approved_by AS "approvedBy", present,
              first_seen_at AS "firstSeenAt", changed_at AS "changedAt"
       FROM server_tools WHERE server_id = $1 ORDER BY name`,
      [serverId],
    );
  }

  /** Adds new tools and updates the definition of known ones; approvals stay as they are. */
  async put(serverId: string, tools: ListedToolRow[]): Promise<void> {
    await this.database.change(
      `INSERT INTO server_tools (server_id, name, definition, hash)
       SELECT $1, name, definition, hash FROM json_to_recordset($2::json) AS listed (name text, definition jsonb, hash text)
       ON CONFLICT (server_id, name) DO UPDATE
       SET approved_definition = CASE WHEN server_tools.approved_hash = server_tools.hash
             THEN server_tools.definition ELSE server_tools.approved_definition END,
           definition = excluded.definition, hash = excluded.hash, present = true, changed_at = now()`,
      [serverId, jsonText(tools)],
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

  /** Approves the tools as they are now, and deletes those that the server no longer lists. */
  async approve(serverId: string, names: string[], approvedBy: Actor): Promise<void> {
    await this.database.change(
      `UPDATE server_tools SET approved_hash = hash, approved_by = $3 WHERE server_id = $1 AND name = ANY($2::text[]) AND present`,
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
}
