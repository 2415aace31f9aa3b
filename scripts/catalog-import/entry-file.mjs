import { constants } from 'node:fs';
import { access, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ImportError } from '../../dist/src/mcp/catalog/server-json.js';
import { loadCatalog } from '../../dist/src/mcp/catalog/load-catalog.js';
import { inRoot } from '../paths.mjs';

const SHIPPED = inRoot('dist/src/mcp/catalog/entries');

/** Returns the folder to write into. */
export async function entryFolder(catalogDirs, wanted) {
  const folder = wanted === undefined ? catalogDirs[0] : resolve(wanted);
  if (folder === undefined)
    throw new ImportError(
      'Set CATALOG_DIRS to a folder for entries of your own, and run this command again.',
    );
  if (!catalogDirs.includes(folder))
    throw new ImportError(
      `${folder} is not a folder of CATALOG_DIRS, so the service would not read the entry.`,
    );
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new ImportError(`${folder} cannot be written into. Create it, or correct its permissions.`);
  }
  const taken = await loadCatalog([SHIPPED, ...catalogDirs]);
  return { folder, taken };
}

/**
 * Writes the file of an entry as a whole or not at all.
 * @param force replace a file, but only one that was imported
 */
export async function storeEntry({ folder, taken }, entry, force) {
  const file = join(folder, `${entry.id}.json`);
  const existing = await readOrNull(file);
  const isUsed = taken.has(entry.id) && existing === null;
  if (isUsed)
    throw new ImportError(`The catalogue has an entry ${entry.id} already: choose another id with --id.`);
  if (existing !== null && !(force && (JSON.parse(existing).importedFrom ?? null) !== null))
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

async function readOrNull(file) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
