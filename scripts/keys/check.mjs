import { readSealedValue } from '../../dist/src/platform/encryption/key-ring.js';
import { withDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { contextOf, nameOf } from './sealed-database.mjs';

/** Exits with 1 when a value cannot be decrypted. Names the value and never shows its contents. */
export async function run(settings) {
  const { ring, values } = await withDatabase(settings, async (database) => ({
    ring: await provedRing(settings, database),
    values: (await database?.values()) ?? [],
  }));
  const errors = values.flatMap((value) => errorOf(ring, value) ?? []);
  console.log(`${values.length} values: ${values.length - errors.length} open, ${errors.length} do not.`);
  for (const id of ring.ids)
    console.log(`${id}${id === ring.primary ? ' (primary)' : ''}: ${countOf(values, id)}`);
  for (const error of errors) console.error(error);
  return errors.length > 0 ? 1 : 0;
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
