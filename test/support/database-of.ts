import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import type { Settings } from '../../src/platform/config/settings.js';
import type { DatabaseService } from '../../src/platform/database/database.service.js';
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

  get database(): DatabaseService {
    return this as unknown as DatabaseService;
  }

  get pages(): KeysetPagesService {
    return pagesOf((sql, parameters) => this.rows(sql, parameters));
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

  async rows<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    this.statements.push({ sql, parameters });
    return (await this.client.query(sql, parameters)).rows as Row[];
  }

  async row<Row>(sql: string, parameters: unknown[] = []): Promise<Row | null> {
    return (await this.rows<Row>(sql, parameters))[0] ?? null;
  }

  async change(sql: string, parameters: unknown[] = []): Promise<number> {
    this.statements.push({ sql, parameters });
    return (await this.client.query(sql, parameters)).rowCount ?? 0;
  }

  prepared<Row>(_name: string, sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.rows<Row>(sql, parameters);
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
