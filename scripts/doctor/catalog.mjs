import { CatalogError } from '../../dist/src/mcp/catalog/catalog.errors.js';
import { loadCatalog } from '../../dist/src/mcp/catalog/catalog-files.js';
import { inRoot } from '../paths.mjs';
import { ok, problem } from './verdict.mjs';

/** One invalid file in CATALOG_DIRS prevents the start. Returns one verdict per error. */
export async function checkCatalog({ catalogDirs }) {
  try {
    const entries = await loadCatalog([inRoot('dist/src/mcp/catalog/entries'), ...catalogDirs]);
    return ok(`${entries.size} entries`);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.errors.map(ofError);
  }
}

function ofError({ file, path, message }) {
  return problem(
    `${file}: ${[path, message].filter(Boolean).join(' ')}`,
    message.startsWith('the folder ')
      ? 'create this folder and let the user of the service read it, or leave it out of CATALOG_DIRS'
      : 'correct this file, or remove it; docs/catalogue.md describes an entry',
  );
}
