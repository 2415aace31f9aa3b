import { CatalogError } from '../../dist/src/mcp/catalog/catalog.errors.js';
import { loadCatalog } from '../../dist/src/mcp/catalog/catalog-files.js';
import { inRoot } from '../paths.mjs';
import { ok, problem } from './verdict.mjs';

/** One invalid file in CATALOG_DIRS prevents the start. */
export async function checkCatalog({ catalogDirs }) {
  try {
    const entries = await loadCatalog([inRoot('dist/src/mcp/catalog/entries'), ...catalogDirs]);
    return ok(`${entries.size} entries`);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return problem(error.message, 'correct or remove these files in CATALOG_DIRS');
  }
}
