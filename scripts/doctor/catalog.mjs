import { CatalogError } from '../../dist/src/mcp/catalog/catalog-files.js';
import { loadCatalog } from '../../dist/src/mcp/catalog/catalog-files.js';
import { inRoot } from '../paths.mjs';
import { ok, problem } from './verdict.mjs';

/** One invalid file in CATALOG_DIRS prevents the start. Returns one verdict per file. */
export async function checkCatalog({ catalogDirs }) {
  try {
    const entries = await loadCatalog([inRoot('dist/src/mcp/catalog/entries'), ...catalogDirs]);
    return ok(`${entries.size} entries`);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return [...new Set(error.errors.map(({ file }) => file))].map((file) => ofFile(file, error.errors));
  }
}

function ofFile(file, errors) {
  const found = errors.filter((error) => error.file === file);
  const says = found.map(({ path, message }) => [path, message].filter(Boolean).join(' '));
  return problem(
    `${file}: ${says.join('; ')}`,
    says[0].startsWith('the folder ')
      ? 'create this folder and let the user of the service read it, or leave it out of CATALOG_DIRS'
      : 'correct this file, or remove it; docs/catalogue.md describes an entry',
  );
}
