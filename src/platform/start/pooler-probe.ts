import { Client } from 'pg';
import { EXIT_CONFIG } from '../exit/exit-codes.js';
import { StartError } from './start-error.js';

const CONNECT_MS = 5_000;
/** duplicate_prepared_statement and invalid_sql_statement_name: a pooler mixed the statements of two clients. */
const MIXED_UP = ['42P05', '26000'];

/**
 * Prepares one name in two connections, one after the other, as two processes do. A pooler that does not follow the names
 * serves both with the same connection of the server, which has the name already.
 * @throws {StartError} when the pooler of DATABASE_URL does not follow prepared statements
 */
export async function refuseUnfitPooler(url: string): Promise<void> {
  const clients = [1, 2].map(
    () => new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => undefined); // The pending call reports the error.
      await client.connect();
      await client.query({ name: 'awp.start.pooler', text: 'SELECT 1' });
    }
  } catch (error) {
    if (MIXED_UP.includes((error as { code?: string }).code ?? ''))
      throw new StartError(
        'DATABASE_URL: its pooler does not follow prepared statements',
        'set DATABASE_PREPARED=off, or use PgBouncer 1.21 or newer with max_prepared_statements above 0',
        EXIT_CONFIG,
      );
    throw error;
  } finally {
    for (const client of clients) void client.end().catch(() => undefined); // The result is known.
  }
}
