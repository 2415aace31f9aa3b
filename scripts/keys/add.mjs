import { withNewKey } from '../../dist/src/platform/encryption/key-ring.js';
import { withDatabase } from './database.mjs';
import { nextKeyId } from './next-key-id.mjs';
import { provedRing } from './proved-ring.mjs';
import { changeKeyRing } from './ring-in-file.mjs';

/**
 * Writes the file first, then the check value. In the other order, a kill between the two would leave a database that
 * requires a key which no longer exists anywhere.
 */
export async function run(settings, [option]) {
  if (option !== undefined && option !== '--not-primary')
    throw new Error(`add takes --not-primary, not '${option}'.`);
  const primary = option === undefined;
  const id = await withDatabase(settings, async (database) => {
    const fresh = await nextKeyId(await provedRing(settings, database), database);
    await changeKeyRing(settings, (document) => withNewKey(document, fresh, primary));
    await provedRing(settings, database);
    return fresh;
  });
  console.log(`Added key '${id}' to ${settings.encryptionKeyringFile}. Keep a new copy of the file.`);
  console.log(
    primary
      ? 'It seals from now on; `npm run keys -- rotate` seals existing values again with it.'
      : `It opens only; \`npm run keys -- rotate ${id}\` makes it primary once every host has the file.`,
  );
  return 0;
}
