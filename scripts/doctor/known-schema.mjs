import { readdir, readFile } from 'node:fs/promises';
import { inRoot } from '../paths.mjs';

/** The migrations of this build, by their numbers. */
export async function knownMigrations() {
  return (await files()).map((name) => /^\d+/.exec(name)[0]);
}

/** The tables that they make, also those that a later one removes. */
export async function knownTables() {
  const texts = await Promise.all(
    (await files()).map((name) => readFile(inRoot('dist/migrations', name), 'utf8')),
  );
  return texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name));
}

async function files() {
  return (await readdir(inRoot('dist/migrations'))).filter((name) => /^\d+-.*\.js$/.test(name));
}
