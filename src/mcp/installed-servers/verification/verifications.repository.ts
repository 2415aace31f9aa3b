import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { EraVerdict } from '../../processes/server-description.js';
import type { ServerStatus } from '../installed-server.entity.js';
import type { Verification } from './verification.js';

/** What a verification changes of its server's row. */
export interface KeptVerification {
  verification: Verification;
  /** null keeps none: the next start probes. */
  verdict: EraVerdict | null;
  status: ServerStatus;
  statusReason: string | null;
}

@Injectable()
export class VerificationsRepository {
  constructor(private readonly database: Database) {}

  /** Dated by the database's clock. The row is locked by the caller. */
  async keep(
    serverId: string,
    { verification, verdict, status, statusReason }: KeptVerification,
  ): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers
       SET last_verification = $2::jsonb || jsonb_build_object('checkedAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
           era_verdict = $3, status = $4, status_reason = $5,
           updated_at = CASE WHEN status = $4 THEN updated_at ELSE now() END
       WHERE id = $1`,
      [serverId, JSON.stringify(verification), verdict && JSON.stringify(verdict), status, statusReason],
    );
  }
}
