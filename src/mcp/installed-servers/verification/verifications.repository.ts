import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { EraVerdict } from '../../processes/server-description.js';
import type { ServerStatus } from '../installed-server-row.js';
import type { Actor } from '../../../platform/journal/journal-context.js';
import type { Verification, VerificationRecord } from './verification.js';

/** How many verifications of a server are kept. */
const KEPT = 50;

/** The changes that a verification makes to its server's row. */
export interface KeptVerification {
  verification: VerificationRecord;
  /** Null makes the next start probe the protocol era again. */
  verdict: EraVerdict | null;
  status: ServerStatus;
  statusReason: string | null;
}

@Injectable()
export class VerificationsRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Adds a verification to the history of its server, without the names of its tools, and forgets the oldest ones. The
   * caller has locked the server's row.
   * @returns the database's time
   */
  async add(serverId: string, verification: Verification, by: Actor): Promise<string> {
    const { capabilities: _, ...result } = verification;
    const row = await this.database.row<{ at: Date }>(
      `INSERT INTO server_verifications (id, server_id, result, by_type, by_id, by_name) VALUES ($1, $2, $3, $4, $5, $6)
       RETURNING at`,
      [uuidv7(), serverId, JSON.stringify(result), by.type, by.id, by.name],
    );
    await this.database.change(
      `DELETE FROM server_verifications WHERE server_id = $1 AND id IN (
         SELECT id FROM server_verifications WHERE server_id = $1 ORDER BY at DESC, id DESC OFFSET ${KEPT})`,
      [serverId],
    );
    return row!.at.toISOString();
  }

  /** Returns the history of a server, newest first. */
  async list(serverId: string): Promise<VerificationRecord[]> {
    const rows = await this.database.rows<{ result: Verification; at: Date; by: Actor }>(
      `SELECT result, at, json_build_object('type', by_type, 'id', by_id, 'name', by_name) AS by
       FROM server_verifications WHERE server_id = $1 ORDER BY at DESC, id DESC`,
      [serverId],
    );
    return rows.map(({ result, at, by }) => ({ ...result, at: at.toISOString(), by }));
  }

  /** Stores a verification as the last one. The caller has locked the row. */
  async keep(
    serverId: string,
    { verification, verdict, status, statusReason }: KeptVerification,
  ): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers
       SET last_verification = $2::jsonb,
           era_verdict = $3, status = $4, status_reason = $5,
           updated_at = CASE WHEN status = $4 THEN updated_at ELSE now() END
       WHERE id = $1`,
      [
        serverId,
        JSON.stringify({ ...verification, checkedAt: verification.at }),
        verdict && JSON.stringify(verdict),
        status,
        statusReason,
      ],
    );
  }
}
