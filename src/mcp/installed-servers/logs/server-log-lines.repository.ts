import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { ServerLogLine } from '../../processes/supervision/server-log-line.js';

/** Lines of one server that one service process read. */
export interface LogBatch {
  serverId: string;
  lines: ServerLogLine[];
}

/** What is kept of a server and service process, as much as each holds in memory. */
const KEPT_BYTES = 64 * 1024;
const KEPT_FOR = '1 day';

/** The log lines that service processes publish to each other. The table is not written to the WAL. */
@Injectable()
export class ServerLogLinesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Adds lines of this process, and forgets what is beyond the limit. Lines of a server that is gone are dropped. */
  async add(process: string, batches: LogBatch[]): Promise<void> {
    await this.database.change(
      `INSERT INTO server_log_lines (server_id, process, lines)
       SELECT s.id, $1, batch.lines FROM json_to_recordset($2::json) AS batch ("serverId" uuid, lines json)
       JOIN installed_servers s ON s.id = batch."serverId" ORDER BY s.id FOR KEY SHARE OF s`,
      [process, JSON.stringify(batches)],
    );
    await this.database.change(
      `DELETE FROM server_log_lines WHERE id IN (
         SELECT id FROM (
           SELECT id, sum(octet_length(lines::text)) OVER (PARTITION BY server_id ORDER BY id DESC) AS bytes
           FROM server_log_lines WHERE process = $1 AND server_id = ANY($2::uuid[])) AS held
         WHERE held.bytes > ${KEPT_BYTES * 2})`,
      [process, batches.map(({ serverId }) => serverId)],
    );
  }

  /** Returns the lines of the other processes, oldest first for each. */
  async ofOthers(serverId: string, process: string): Promise<{ process: string; lines: ServerLogLine[] }[]> {
    return this.database.rows(
      `SELECT process, lines FROM server_log_lines WHERE server_id = $1 AND process <> $2 ORDER BY id`,
      [serverId, process],
    );
  }

  /** Forgets what a process that may have ended published. */
  prune(): Promise<number> {
    return this.database.change(`DELETE FROM server_log_lines WHERE at < now() - interval '${KEPT_FOR}'`);
  }
}
