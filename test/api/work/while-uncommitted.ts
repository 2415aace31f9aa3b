import type { Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WAITING_FOR_LOCKS } from '../../support/waiting-for-locks.js';

/**
 * Sends a request while another transaction has run a statement without committing it, and commits once the request
 * waits for it. The request has then read the state before the statement, and writes to the state after it.
 */
export async function whileUncommitted<Answer>(
  service: Service,
  statement: string,
  parameters: unknown[],
  send: () => Promise<Answer>,
): Promise<Answer> {
  await service.sql('BEGIN');
  try {
    await service.sql(statement, parameters);
    const answer = send();
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length > 0);
    await service.sql('COMMIT');
    return await answer;
  } catch (error) {
    await service.sql('ROLLBACK');
    throw error;
  }
}
