import { readSealedValue } from '../../dist/src/platform/encryption/sealed-value.js';
import { withDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { contextOf, nameOf } from './sealed-database.mjs';

/** Ends with 1 where a value does not open; names it, never what it holds. */
export async function run(settings) {
  const { ring, values } = await withDatabase(settings, async (database) => ({
    ring: await provedRing(settings, database),
    values: (await database?.values()) ?? [],
  }));
  const faults = values.flatMap((value) => faultOf(ring, value) ?? []);
  console.log(`${values.length} values: ${values.length - faults.length} open, ${faults.length} do not.`);
  for (const id of ring.ids)
    console.log(`${id}${id === ring.primary ? ' (primary)' : ''}: ${countOf(values, id)}`);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

function faultOf(ring, value) {
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
