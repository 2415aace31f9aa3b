import { Client } from 'pg';

/** The parts of a database schema that a build relies on. */
export interface SchemaSnapshot {
  /** By `table.column`. */
  columns: Map<string, { type: string; mayBeLeftOut: boolean; nullable: boolean }>;
  /** Constraints by `table.name`: checks, unique indexes, foreign keys. */
  rules: Map<string, string>;
  /** What is unique, such as `chores btree (name)`: an ON CONFLICT names its columns. */
  unique: Set<string>;
}

export async function snapshotOf(url: string): Promise<SchemaSnapshot> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const columns = await client.query<{ place: string; type: string; nullable: boolean; preset: boolean }>(
      `SELECT c.relname || '.' || a.attname AS place, format_type(a.atttypid, a.atttypmod) AS type,
         NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS preset
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
    );
    const rules = await client.query<{ place: string; rule: string }>(
      `SELECT conrelid::regclass || '.' || conname AS place, pg_get_constraintdef(oid) AS rule
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'x')
       UNION ALL
       SELECT indrelid::regclass || '.' || indexrelid::regclass, pg_get_indexdef(indexrelid)
       FROM pg_index JOIN pg_class i ON i.oid = indexrelid
       WHERE indisunique AND i.relnamespace = 'public'::regnamespace`,
    );
    const unique = await client.query<{ place: string }>(
      `SELECT indrelid::regclass || ' ' || regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') AS place
       FROM pg_index JOIN pg_class i ON i.oid = indexrelid
       WHERE indisunique AND i.relnamespace = 'public'::regnamespace`,
    );
    return {
      unique: new Set(unique.rows.map(({ place }) => place)),
      columns: new Map(
        columns.rows.map(({ place, type, nullable, preset }) => [
          place,
          { type, nullable, mayBeLeftOut: nullable || preset },
        ]),
      ),
      rules: new Map(rules.rows.map(({ place, rule }) => [place, rule])),
    };
  } finally {
    await client.end();
  }
}

/**
 * Returns one sentence for each thing that a build written for `before` can no longer do on `after`. A new constraint on
 * an old table is listed even when it is wider than the one it replaces, because only a person can judge that.
 */
export function brokenFor(before: SchemaSnapshot, after: SchemaSnapshot): string[] {
  const tables = new Set([...before.columns.keys()].map(tableOf));
  const lost = [...before.columns].flatMap(([place, was]) => {
    const is = after.columns.get(place);
    if (!is) return [`${place} is gone`];
    if (is.type !== was.type) return [`${place} is ${is.type} now and was ${was.type}`];
    const isStricter = (was.nullable && !is.nullable) || (was.mayBeLeftOut && !is.mayBeLeftOut);
    return isStricter ? [`${place} can no longer be left out`] : [];
  });
  const asked = [...after.columns].flatMap(([place, is]) =>
    tables.has(tableOf(place)) && !before.columns.has(place) && !is.mayBeLeftOut
      ? [`${place} is new and must be given`]
      : [],
  );
  const ruled = [...after.rules].flatMap(([place, rule]) =>
    tables.has(tableOf(place)) && before.rules.get(place) !== rule ? [`${place} is a new rule: ${rule}`] : [],
  );
  const repeated = [...before.unique]
    .filter((place) => !after.unique.has(place))
    .map((place) => `${place} is no longer unique, which an ON CONFLICT may name`);
  return [...lost, ...asked, ...ruled, ...repeated];
}

function tableOf(place: string): string {
  return place.split('.', 1)[0]!;
}
