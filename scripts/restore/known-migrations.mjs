import { readdir } from 'node:fs/promises';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { inRoot } from '../paths.mjs';

/**
 * Returns the files of the migrations that had run in the database of the backup. The later ones run at the next start,
 * on the restored rows.
 * @throws {StartError} when this build lacks one of them
 */
export async function migrationFiles({ migrations, version }) {
  const files = await readdir(inRoot('dist/migrations'));
  return migrations.map(({ timestamp }) => {
    const file = files.find((name) => name.startsWith(`${timestamp}-`) && name.endsWith('.js'));
    if (file) return inRoot('dist/migrations', file);
    throw new StartError(
      `The backup was made by version ${version}, whose migration ${timestamp} this version does not have`,
      `install version ${version} or a later one, and restore with it`,
      EXIT_CONFIG,
    );
  });
}
