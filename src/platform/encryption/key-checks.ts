import type { KeyCheckStore } from './key-proof.js';

/** Runs one statement and gives its rows; `parameters` fill `$1…`. */
export type RowsOf = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** The check values in the table `encryption_keys`. What is sealed lies in tables of others: they tell. */
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
