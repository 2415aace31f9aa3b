import type { KeyCheckStore } from './key-proof.js';

/** Runs one statement and returns its rows; `parameters` fill `$1…`. */
export type RowsOf = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/**
 * Stores the check values in the table `encryption_keys`. The sealed values lie in tables of other modules, so the caller
 * passes in whether there are any.
 */
export function keyChecksIn(rowsOf: RowsOf, hasCiphertext: () => Promise<boolean>): KeyCheckStore {
  return {
    hasCiphertext,
    checks: () => rowsOf('SELECT id, check_value AS "checkValue" FROM encryption_keys ORDER BY id'),
    add: async (id, checkValue) => {
      const sql = 'INSERT INTO encryption_keys (id, check_value) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING';
      await rowsOf(sql, [id, checkValue]);
    },
  };
}
