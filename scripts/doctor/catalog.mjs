import { CatalogFault } from '../../dist/src/mcp/catalog/catalog.errors.js';
import { loadCatalog } from '../../dist/src/mcp/catalog/load-catalog.js';
import { inRoot } from '../paths.mjs';
import { fault, ok } from './verdict.mjs';

/** One bad file of an operator's stops the start. */
export async function checkCatalog({ catalogDirs }) {
  try {
    const entries = await loadCatalog([inRoot('dist/src/mcp/catalog/entries'), ...catalogDirs]);
    return ok(`${entries.size} entries`);
  } catch (error) {
    if (!(error instanceof CatalogFault)) throw error;
    return fault(error.message, 'mend or remove these files in CATALOG_DIRS');
  }
}
