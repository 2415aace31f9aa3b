import { existsSync } from 'node:fs';
import { newKeyRing } from '../../dist/src/platform/encryption/key-ring.document.js';
import { KeyRingFault } from '../../dist/src/platform/encryption/key-ring.errors.js';
import { createKeyRingFile } from '../../dist/src/platform/encryption/key-ring.writer.js';
import { withDatabase } from './database.mjs';
import { nextKeyId } from './next-key-id.mjs';

/** Killed after the check values are gone and before the file is there it has to be run again; no more. */
export async function run(settings) {
  const file = settings.encryptionKeyringFile;
  if (settings.encryptionKeys)
    throw new KeyRingFault('ENCRYPTION_KEYS holds the key ring: unset it to have one in a file.');
  const id = await withDatabase(settings, async (database) => {
    if (existsSync(file)) throw alreadyThere(file);
    const fresh = await nextKeyId(null, database);
    await database?.transaction(() => forgetLostRing(database, file));
    if (!(await createKeyRingFile(file, newKeyRing(fresh)))) throw alreadyThere(file);
    return fresh;
  });
  console.log(`Made the key ring ${file} with key '${id}'.`);
  console.log("Keep a copy of it apart from the database's backups: without it no credential can be opened.");
  return 0;
}

/** Check values without ciphertext belong to a ring that is lost and that nothing needs. */
async function forgetLostRing(database, file) {
  await database.holdWriters();
  if (await database.checks.hasCiphertext())
    throw new KeyRingFault(
      `This database holds sealed values, which a new key ring could not open: put the ring that sealed them back as ENCRYPTION_KEYRING_FILE (${file}).`,
    );
  await database.forgetChecks();
}

function alreadyThere(file) {
  return new KeyRingFault(
    `There is a key ring at ENCRYPTION_KEYRING_FILE (${file}) already: use it, or add a key with \`npm run keys -- add\`.`,
  );
}
