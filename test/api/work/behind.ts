import type { Service } from '../../support/service.js';
import { until } from '../../support/until.js';

/**
 * Sends a request while someone else's transaction has run a statement and not committed yet; commits once the request
 * waits for it. So the request has looked at what was there before, and writes to what is there afterwards.
 */
export async function behind<Answer>(
  service: Service,
  statement: string,
  parameters: unknown[],
  send: () => Promise<Answer>,
): Promise<Answer> {
  await service.sql('BEGIN');
  try {
    await service.sql(statement, parameters);
    const answer = send();
    await until(async () => (await service.sql('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0);
    await service.sql('COMMIT');
    return await answer;
  } catch (fault) {
    await service.sql('ROLLBACK');
    throw fault;
  }
}
