import { canonicalJson } from '../../../platform/http/body/canonical-json.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';

/** Returns whether the catalogue's entry runs other code or declares other variables than the installed entry. */
export function isUpdate(installed: CatalogEntry, inCatalog: CatalogEntry): boolean {
  return canonicalJson(whatRuns(installed)) !== canonicalJson(whatRuns(inCatalog));
}

/** Leaves out the texts that only people read. */
function whatRuns({
  version,
  transport,
  runtime,
  runtimeVersion,
  manifest,
  environmentVariables,
}: CatalogEntry): unknown {
  const variables = environmentVariables.map(({ description: _d, placeholder: _p, ...rest }) => rest);
  return {
    version,
    transport,
    runtime,
    runtimeVersion,
    manifest: { ...manifest, serverJson: null },
    variables,
  };
}
