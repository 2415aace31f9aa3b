import { withoutKey } from '../../dist/src/platform/encryption/key-ring.js';
import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { readSealedValue } from '../../dist/src/platform/encryption/key-ring.js';
import { withWholeDatabase } from './database.mjs';
import { provedRing } from './proved-ring.mjs';
import { changeKeyRing } from './ring-in-file.mjs';

/**
 * Removes the check value first, then the key in the file. A kill between the two leaves a key in the ring that the
 * database does not require, which the next start corrects. In the other order the database would require a lost key.
 */
export async function run(settings, [id]) {
  await withWholeDatabase(settings, async (database) => {
    const ring = await provedRing(settings, database);
    if (!ring.ids.includes(id)) throw new KeyRingError(`The key ring has no key '${id ?? ''}' to retire.`);
    if (id === ring.primary)
      throw new KeyRingError(`Key '${id}' is primary. Make another key primary first.`);
    await database?.transaction(() => forgetUnusedKey(database, id));
    if (!settings.encryptionKeys) await changeKeyRing(settings, (document) => withoutKey(document, id));
  });
  console.log(
    settings.encryptionKeys
      ? `Key '${id}' is no longer required. Remove it from ENCRYPTION_KEYS before the next start.`
      : `Removed key '${id}' from ${settings.encryptionKeyringFile}.`,
  );
  console.log(
    'Older backups of the database may need it: keep a copy of it elsewhere as long as you keep them.',
  );
  return 0;
}

/** A running service holds its keys in memory and may be about to seal with this one. */
async function forgetUnusedKey(database, id) {
  await database.holdWriters();
  if (await database.serviceIsConnected())
    throw new Error('Stop the service first: while it runs it may still seal with this key.');
  const count = (await database.values()).filter(({ sealed }) => readSealedValue(sealed).keyId === id).length;
  if (count > 0)
    throw new Error(`${count} values are sealed with key '${id}': run \`npm run keys -- rotate\` first.`);
  await database.forgetCheck(id);
}
