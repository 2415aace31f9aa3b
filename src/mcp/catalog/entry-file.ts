import { constants } from 'node:fs';
import { access, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CatalogEntry } from './catalog-entry.js';
import { loadCatalog } from './load-catalog.js';
import { ImportError } from './server-json.js';

const SHIPPED = fileURLToPath(new URL('./entries', import.meta.url));

/** A folder of the operator's that entries are written into, with all entries that there are. */
export interface EntryFolder {
  folder: string;
  taken: ReadonlyMap<string, CatalogEntry>;
}

/**
 * Returns the folder to write into: the wanted one, or the first.
 * @throws {ImportError} when CATALOG_DIRS has none, or the service may not write there
 */
export async function entryFolder(catalogDirs: readonly string[], wanted?: string): Promise<EntryFolder> {
  const folder = wanted === undefined ? catalogDirs[0] : resolve(wanted);
  if (folder === undefined)
    throw new ImportError('Set CATALOG_DIRS to a folder for entries of your own, and try again.');
  if (!catalogDirs.includes(folder))
    throw new ImportError(
      `${folder} is not a folder of CATALOG_DIRS, so the service would not read the entry.`,
    );
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new ImportError(`${folder} cannot be written into. Create it, or correct its permissions.`);
  }
  return { folder, taken: await loadCatalog([SHIPPED, ...catalogDirs]) };
}

/**
 * Writes the file of an entry as a whole or not at all, and returns its path.
 * @param force replace a file, but only one that was imported
 * @throws {ImportError} when the id is taken
 */
export async function storeEntry(
  { folder, taken }: EntryFolder,
  entry: { id: string },
  force: boolean,
): Promise<string> {
  const file = join(folder, `${entry.id}.json`);
  const existing = await readOrNull(file);
  if (taken.has(entry.id) && existing === null)
    throw new ImportError(`The catalogue has an entry ${entry.id} already: choose another id with --id.`);
  if (existing !== null && !(force && isImported(existing)))
    throw new ImportError(
      `${file} exists already: choose another id with --id, or replace an earlier import with --force.`,
    );
  const draft = `${file}.${process.pid}.draft`;
  await writeFile(draft, `${JSON.stringify(entry, null, 2)}\n`);
  try {
    // A link fails where the file has appeared in the meantime.
    await (existing === null ? link(draft, file) : rename(draft, file));
  } finally {
    await rm(draft, { force: true });
  }
  return file;
}

function isImported(file: string): boolean {
  const { importedFrom = null } = JSON.parse(file) as { importedFrom?: string | null };
  return importedFrom !== null;
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
