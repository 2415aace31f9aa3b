import { compare, gt } from 'semver';
import { VERSION } from '../config/settings.js';
import { ConfigurationError, EXIT_CONFIG, StartError } from '../exit/exit-codes.js';

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

/** The name of a migration ends with its time in milliseconds. */
const timeOf = (name: string): number => Number(name.slice(-13));

/** The last migrations by name: of the database, and of this version. */
export interface LaterSchema {
  ofDatabase: string;
  ofBuild: string;
}

/** Returns the rows of a statement without parameters. */
type Query = <Row>(sql: string) => Promise<Row[]>;

/** Returns what a later version has made of the schema, or null where this version knows every migration. */
export async function laterSchema(query: Query, known: readonly string[]): Promise<LaterSchema | null> {
  const rows = await query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp DESC');
  const later = rows.find(({ name }) => !known.includes(name));
  const ofBuild = known.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1);
  return later && ofBuild !== undefined ? { ofDatabase: later.name, ofBuild } : null;
}

/** The start, the doctor and the commands say the same of a later schema (contract §8.6). */
export const laterSentence = ({ ofDatabase, ofBuild }: LaterSchema): string =>
  `A later version has migrated the database: its schema is ${ofDatabase}, and version ${VERSION} knows ${ofBuild}`;
export const LATER_REMEDY =
  'run that version again, or this one within the limits of docs/operations.md, "Which version runs on which schema"';

/**
 * Refuses a command that must know every table, such as a rotation of keys, on a schema that a later version has made.
 * @throws {ConfigurationError} on such a schema
 */
export async function refuseLaterSchema(query: Query, known: readonly string[]): Promise<void> {
  const schema = await laterSchema(query, known);
  if (schema)
    throw new ConfigurationError(
      `${laterSentence(schema)}. Run this command of that version: this one does not know all of its tables.`,
    );
}

/**
 * Refuses a schema on which this version cannot run: a migration has written into `schema_needs` which version it needs
 * at least (decision 0061).
 * @throws {StartError} that names the version and the migration
 */
export async function refuseNeededVersion(query: Query, version = VERSION): Promise<void> {
  const [table] = await query<{ found: string | null }>("SELECT to_regclass('schema_needs') AS found");
  if (!table!.found) return;
  const needs = await query<{ migration: string; version: string }>(
    'SELECT migration, version FROM schema_needs',
  );
  const highest = needs.toSorted((a, b) => compare(a.version, b.version)).at(-1);
  if (!highest || !gt(highest.version, version)) return;
  throw new StartError(
    `The database needs version ${highest.version} or later since the migration ${highest.migration}, and this is version ${version}`,
    `install version ${highest.version} or a later one, or restore the backup from before it`,
    EXIT_CONFIG,
  );
}
