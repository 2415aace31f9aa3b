import { withoutKey } from '../../dist/src/platform/encryption/key-ring.document.js';
import { KeyRingFault } from '../../dist/src/platform/encryption/key-ring.errors.js';
import { readSealedValue } from '../../dist/src/platform/encryption/sealed-value.js';
import { withDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { changeKeyRing } from './ring-in-file.mjs';

/**
 * The check value first, then the file: killed between the two, the ring has a key more than the database
 * asks for, which the next start puts right. The other way round the database would ask for a lost key.
 */
export async function run(settings, [id]) {
  await withDatabase(settings, async (database) => {
    const ring = await provedRing(settings, database);
    if (!ring.ids.includes(id)) throw new KeyRingFault(`The key ring has no key '${id ?? ''}' to retire.`);
    if (id === ring.primary)
      throw new KeyRingFault(`Key '${id}' is primary: make another one so before it goes.`);
    await database?.transaction(() => forgetUnusedKey(database, id));
    if (!settings.encryptionKeys) await changeKeyRing(settings, (document) => withoutKey(document, id));
  });
  console.log(
    settings.encryptionKeys
      ? `Key '${id}' is no longer asked for: take it out of ENCRYPTION_KEYS before the next start.`
      : `Took key '${id}' out of ${settings.encryptionKeyringFile}.`,
  );
  console.log(
    'Older backups of the database may need it: keep a copy of it apart for as long as you keep them.',
  );
  return 0;
}

/** A running service knows its keys by heart and may be about to seal with this one. */
async function forgetUnusedKey(database, id) {
  await database.holdWriters();
  if (await database.serviceIsConnected())
    throw new Error('Stop the service first: one that runs may still seal with this key.');
  const count = (await database.values()).filter(({ sealed }) => readSealedValue(sealed).keyId === id).length;
  if (count > 0)
    throw new Error(`${count} values are sealed with key '${id}': run \`npm run keys -- rotate\` first.`);
  await database.forgetCheck(id);
}
