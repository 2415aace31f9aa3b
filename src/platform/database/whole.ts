/**
 * The options of a `bigint` column with a counter, which is a number in JavaScript: node-postgres gives a string. Positions of
 * the journal stay strings, because they are compared by the database alone. Raw rows of a statement are strings too.
 */
export const whole = {
  type: 'bigint',
  transformer: {
    from: (value: string | null): number | null => (value === null ? null : Number(value)),
    to: (value: unknown): unknown => value,
  },
} as const;
