import { canonicalJson } from '../../../platform/http/canonical-json.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';

/** Whether the catalogue's entry runs something else, or takes other variables, than the installed one. */
export function isUpdate(installed: CatalogEntry, inCatalog: CatalogEntry): boolean {
  return canonicalJson(whatRuns(installed)) !== canonicalJson(whatRuns(inCatalog));
}

/** Without what is for people alone. */
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
