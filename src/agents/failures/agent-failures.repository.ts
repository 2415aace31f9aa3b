import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { IS_FAILING } from './failure.js';

@Injectable()
export class AgentFailuresRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The failure of another worker is kept while it lasts. `since` stays when a worker reports again. */
  async report(agentId: string, worker: string, reason: string, seconds: number): Promise<void> {
    await this.database.change(
      `INSERT INTO agent_failures AS f (agent_id, worker, reason, until)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))
       ON CONFLICT (agent_id) DO UPDATE SET worker = excluded.worker, reason = excluded.reason, until = excluded.until,
         since = CASE WHEN ${IS_FAILING} THEN f.since ELSE excluded.since END
       WHERE f.worker = excluded.worker OR NOT ${IS_FAILING}`,
      [agentId, worker, reason, seconds],
    );
  }

  async end(agentId: string, worker: string): Promise<void> {
    await this.database.change('DELETE FROM agent_failures WHERE agent_id = $1 AND worker = $2', [
      agentId,
      worker,
    ]);
  }
}
