import { readdir } from 'node:fs/promises';
import { refuseLaterSchema } from '../../dist/src/platform/database/schema-versions.js';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { inRoot } from '../paths.mjs';

const FILE = /^(\d+)-(.+)\.js$/;

/** Returns the names of the migrations of this build, as the table of migrations has them. */
export async function knownMigrations() {
  const files = await readdir(inRoot('dist/migrations'));
  return files.flatMap((file) => {
    const [, time, words] = FILE.exec(file) ?? [];
    const parts = words?.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
    return parts ? [`${parts.join('')}${time}`] : [];
  });
}

/**
 * Refuses a database that a later version has migrated: this build does not know all of its tables. A database without
 * migrations, or none at all (`null`), passes.
 * @throws {ConfigurationError}
 */
export async function refuseTablesOfLater(client) {
  const query = async (sql) => (await client.query(sql)).rows;
  const [table] = client ? await query(`SELECT to_regclass('migrations') AS found`) : [];
  if (table?.found) await refuseLaterSchema(query, await knownMigrations());
}

/**
 * Returns the files of the migrations that had run in the database of the backup. The later ones run at the next start,
 * on the restored rows.
 * @throws {StartError} when this build lacks one of them
 */
export async function migrationFiles({ migrations, version }) {
  const files = await readdir(inRoot('dist/migrations'));
  return migrations.map(({ timestamp }) => {
    const file = files.find((name) => name.startsWith(`${timestamp}-`) && name.endsWith('.js'));
    if (file) return inRoot('dist/migrations', file);
    throw new StartError(
      `The backup was made by version ${version}, whose migration ${timestamp} this version does not have`,
      `install version ${version} or a later one, and restore with it`,
      EXIT_CONFIG,
    );
  });
}
