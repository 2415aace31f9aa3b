import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import type { Settings } from '../../src/platform/config/settings.js';
import { KeysetPagesService } from '../../src/platform/database/keyset-pages.service.js';
import type { TransactionsService } from '../../src/platform/database/transactions.service.js';

/** One connection in the place of the service's pool, which keeps what it was asked. */
export class OneConnection {
  readonly statements: { sql: string; parameters: unknown[] }[] = [];

  private constructor(readonly client: Client) {}

  static async open(url: string): Promise<OneConnection> {
    const client = new Client({ connectionString: url });
    await client.connect();
    return new OneConnection(client);
  }

  /** In the place of the service's data source. */
  get source(): DataSource {
    return this as unknown as DataSource;
  }

  get pages(): KeysetPagesService {
    return pagesOf((sql, parameters) => this.query(sql, parameters));
  }

  get transactions(): TransactionsService {
    const run = async <T>(work: () => Promise<T>): Promise<T> => {
      await this.client.query('BEGIN');
      try {
        const result = await work();
        await this.client.query('COMMIT');
        return result;
      } catch (error) {
        await this.client.query('ROLLBACK');
        throw error;
      }
    };
    return { run } as unknown as TransactionsService;
  }

  /** Returns what a data source returns: rows, and their number where the statement changed some. */
  async query<Result>(sql: string, parameters: unknown[] = []): Promise<Result> {
    this.statements.push({ sql, parameters });
    const { command, rows, rowCount } = await this.client.query(sql, parameters);
    return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as Result;
  }

  async rows<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.client.query(sql, parameters)).rows as Row[];
  }

  /** Runs `work` and returns the partitions that its statements about `table` read. */
  async partitionsRead(table: string, work: () => Promise<unknown>): Promise<string[]> {
    this.statements.length = 0;
    await work();
    const found = new Set<string>();
    for (const { sql, parameters } of [...this.statements]) {
      const { rows } = await this.client.query(`EXPLAIN (ANALYZE, COSTS OFF) ${sql}`, parameters);
      for (const row of rows as { 'QUERY PLAN': string }[]) {
        const line = row['QUERY PLAN'];
        if (line.includes('never executed')) continue;
        for (const [name] of line.matchAll(
          new RegExp(`\\b${table}_(\\d{4}_\\d{2}|earlier|later)\\b(?=[ \\n]|$)`, 'g'),
        ))
          found.add(name);
      }
    }
    return [...found].toSorted();
  }

  end(): Promise<void> {
    return this.client.end();
  }
}

/** Writes a row of the journal as a release would, without its services. */
export const writeJournal = (one: OneConnection, type: string, issueId: string | null = null) =>
  one.rows(
    `INSERT INTO journal (id, type, actor_type, actor_name, subject_type, issue_id)
     VALUES (gen_random_uuid(), $1, 'system', 'system', 'test', $2)`,
    [type, issueId],
  );

/** Writes the record of a tool call at a time. */
export const writeCall = (one: OneConnection, at: string) =>
  one.rows(
    `INSERT INTO tool_calls (id, called_at, server_id, server_name, tool, argument_shape, result, duration_ms)
     VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'x', 'x', '{}', 'ok', 1)`,
    [at],
  );

/** Pages of lists whose statements go to `query`, with the service's own bound in bytes. */
export function pagesOf(
  query: (sql: string, parameters: unknown[]) => Promise<unknown[]>,
): KeysetPagesService {
  const settings = { limits: { pageMaxBytes: 4_194_304 } };
  return new KeysetPagesService({ query } as unknown as DataSource, settings as Settings);
}
