import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';

/** A process of the role `tools` as it has announced itself. */
export interface ToolsHost {
  id: string;
  /** `host:port` of its internal endpoint. */
  address: string;
  isDraining: boolean;
}

/** After this time without a renewal a host counts as dead. */
export const DEAD_AFTER = '5 seconds';
const FORGOTTEN_AFTER = '1 hour';

/** The announcements of tools hosts. */
@Injectable()
export class ToolsHostsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Announces a host, or renews its announcement. */
  async announce({ id, address, isDraining }: ToolsHost): Promise<void> {
    await this.database.change(
      `INSERT INTO tools_hosts (id, address, is_draining) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET address = $2, is_draining = $3, seen_at = now()`,
      [id, address, isDraining],
    );
  }

  async withdraw(id: string): Promise<void> {
    await this.database.change(
      `DELETE FROM tools_hosts WHERE id = $1 OR seen_at < now() - interval '${FORGOTTEN_AFTER}'`,
      [id],
    );
  }

  live(): Promise<ToolsHost[]> {
    return this.database.prepared<ToolsHost>(
      'tools-hosts.live',
      `SELECT id, address, is_draining AS "isDraining" FROM tools_hosts
       WHERE seen_at > now() - interval '${DEAD_AFTER}' ORDER BY id`,
      [],
    );
  }
}
