import { readSealedValue } from '../../dist/src/platform/encryption/key-ring.js';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { withDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { contextOf, nameOf } from './sealed-database.mjs';

/**
 * Exits with 1 when a value cannot be decrypted. Names the value and never shows its contents.
 * @throws {StartError} when there is no database of a service: nothing that was sealed would be all clear
 */
export async function run(settings) {
  const { ring, values } = await withDatabase(settings, async (database) => {
    if (!database) throw noDatabase(settings);
    return { ring: await provedRing(settings, database), values: await database.values() };
  });
  const errors = values.flatMap((value) => errorOf(ring, value) ?? []);
  console.log(`${values.length} values: ${values.length - errors.length} open, ${errors.length} do not.`);
  for (const id of ring.ids)
    console.log(`${id}${id === ring.primary ? ' (primary)' : ''}: ${countOf(values, id)}`);
  for (const error of errors) console.error(error);
  return errors.length > 0 ? 1 : 0;
}

function noDatabase({ databaseUrl, dataDir }) {
  return new StartError(
    databaseUrl === null
      ? `Nothing was checked: DATA_DIR (${dataDir}) holds no database, and DATABASE_URL is not set`
      : 'Nothing was checked: the database of DATABASE_URL has no tables of the service',
    'run it with the settings of the service; docs/operations.md, "Commands with the settings of the service", says how',
    EXIT_CONFIG,
  );
}

function errorOf(ring, value) {
  try {
    ring.open(value.sealed, contextOf(value));
    return null;
  } catch (error) {
    return `${nameOf(value)}: ${error.message}`;
  }
}

function countOf(values, id) {
  return values.filter(({ sealed }) => keyIdOf(sealed) === id).length;
}

function keyIdOf(sealed) {
  try {
    return readSealedValue(sealed).keyId;
  } catch {
    return null;
  }
}
