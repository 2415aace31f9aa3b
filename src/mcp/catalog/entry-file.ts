import { randomUUID } from 'node:crypto';
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
 * @param replaces whether the entry may take the place of an earlier import in its file
 * @throws {ImportError} when the id is taken
 */
export async function storeEntry(
  { folder, taken }: EntryFolder,
  entry: { id: string },
  replaces: (imported: CatalogEntry) => boolean,
): Promise<string> {
  const file = join(folder, `${entry.id}.json`);
  const existing = await readOrNull(file);
  if (taken.has(entry.id) && existing === null)
    throw new ImportError(`The catalogue has an entry ${entry.id} already: choose another id.`);
  if (existing !== null && !mayReplace(existing, replaces))
    throw new ImportError(
      `${file} exists already: choose another id. Only an earlier import is replaced, and only with replace (the option --force).`,
    );
  // Two imports of one id at once must not write into one file.
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(entry, null, 2)}\n`);
    // A link fails where the file has appeared in the meantime.
    await (existing === null ? link(draft, file) : rename(draft, file));
  } catch (error) {
    throw new ImportError(`${file} was not written (${codeOf(error)}).`);
  } finally {
    await rm(draft, { force: true });
  }
  return file;
}

function mayReplace(file: string, replaces: (imported: CatalogEntry) => boolean): boolean {
  try {
    const existing = JSON.parse(file) as CatalogEntry;
    return (existing.importedFrom ?? null) !== null && replaces(existing);
  } catch {
    // No import wrote it.
    return false;
  }
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new ImportError(`${file} cannot be read (${codeOf(error)}).`);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown cause';
}
