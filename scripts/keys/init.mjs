import { existsSync } from 'node:fs';
import { newKeyRing } from '../../dist/src/platform/encryption/key-ring.js';
import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { createKeyRingFile } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { withDatabase } from './database.mjs';
import { nextKeyId } from './next-key-id.mjs';

/** When it is killed after deleting the check values and before writing the file, it only has to be run again. */
export async function run(settings) {
  const file = settings.encryptionKeyringFile;
  if (settings.encryptionKeys)
    throw new KeyRingError('ENCRYPTION_KEYS holds the key ring. Unset it to use a key ring in a file.');
  const id = await withDatabase(settings, async (database) => {
    if (existsSync(file)) throw alreadyThere(file);
    const fresh = await nextKeyId(null, database);
    await database?.transaction(() => forgetLostRing(database, file));
    if (!(await createKeyRingFile(file, newKeyRing(fresh)))) throw alreadyThere(file);
    return fresh;
  });
  console.log(`Created the key ring ${file} with key '${id}'.`);
  console.log(
    'Keep a copy of it apart from the backups of the database: without it no credential can be opened.',
  );
  return 0;
}

/** Check values without ciphertext belong to a lost ring that nothing needs. */
async function forgetLostRing(database, file) {
  await database.holdWriters();
  if (await database.checks.hasCiphertext())
    throw new KeyRingError(
      `This database holds sealed values, which a new key ring could not open: restore the key ring that sealed them as ENCRYPTION_KEYRING_FILE (${file}).`,
    );
  await database.forgetChecks();
}

function alreadyThere(file) {
  return new KeyRingError(
    `There is a key ring at ENCRYPTION_KEYRING_FILE (${file}) already: use it, or add a key with \`npm run keys -- add\`.`,
  );
}
