import { withPrimary } from '../../dist/src/platform/encryption/key-ring.js';
import { resealAll } from '../../dist/src/platform/encryption/key-proof-rotation-and-first-ring.js';
import { withWholeDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { changeKeyRing } from './ring-in-file.mjs';
import { contextOf, nameOf } from './sealed-database.mjs';

export async function run(settings, [primary]) {
  const { count, id } = await withWholeDatabase(settings, async (database) => {
    await provedRing(settings, database);
    if (primary !== undefined) await changeKeyRing(settings, (document) => withPrimary(document, primary));
    const ring = await provedRing(settings, database);
    return {
      id: ring.primary,
      count: database ? await resealAll(database, ring, { contextOf, nameOf }) : 0,
    };
  });
  console.log(`Sealed ${count} values again with key '${id}'.`);
  return 0;
}
