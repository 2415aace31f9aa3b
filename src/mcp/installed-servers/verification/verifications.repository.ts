import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { EraVerdict } from '../../processes/server-description.js';
import type { ServerStatus } from '../installed-server-row.js';
import type { Verification } from './verification.js';

/** The changes that a verification makes to its server's row. */
export interface KeptVerification {
  verification: Verification;
  /** Null makes the next start probe the protocol era again. */
  verdict: EraVerdict | null;
  status: ServerStatus;
  statusReason: string | null;
}

@Injectable()
export class VerificationsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Stores a verification with the database's time. The caller has locked the row. */
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
