import { withPrimary } from '../../dist/src/platform/encryption/key-ring.document.js';
import { withDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { changeKeyRing } from './ring-in-file.mjs';
import { contextOf, nameOf } from './sealed-database.mjs';

export async function run(settings, [primary]) {
  const { count, id } = await withDatabase(settings, async (database) => {
    await provedRing(settings, database);
    if (primary !== undefined) await changeKeyRing(settings, (document) => withPrimary(document, primary));
    const ring = await provedRing(settings, database);
    return { id: ring.primary, count: database ? await sealAllAnew(database, ring) : 0 };
  });
  console.log(`Sealed ${count} values anew with key '${id}'.`);
  return 0;
}

/** All or nothing: one value that does not open leaves every value as it was. */
function sealAllAnew(database, ring) {
  return database.transaction(async () => {
    await database.holdWriters();
    const values = await database.values();
    await database.replace(values.map((value) => ({ ...value, sealed: sealedAnew(ring, value) })));
    return values.length;
  });
}

function sealedAnew(ring, value) {
  const context = contextOf(value);
  try {
    return ring.seal(ring.open(value.sealed, context), context);
  } catch (error) {
    throw new Error(
      `Nothing was changed, because ${nameOf(value)} does not open: set that value anew, then rotate.`,
      { cause: error },
    );
  }
}
