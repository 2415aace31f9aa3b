import type { Fault } from '../../platform/http/problem.js';
import type { CatalogEntry } from './catalog-entry.js';
import { launchFaults } from './launch-rules.js';
import { packageFaults } from './package-rules.js';
import { remoteFaults } from './remote-rules.js';
import { variableFaults } from './variable-rules.js';

/**
 * What must hold of an entry beside its form: rules that JSON Schema cannot say (descriptions of
 * catalog-entry.schema.json; spec §3.1). Every fault is told, in the order of the file.
 */
export function entryFaults(entry: CatalogEntry, fileName: string): Fault[] {
  const faults: Fault[] = [];
  if (fileName !== `${entry.id}.json`)
    faults.push({ path: 'id', message: `is '${entry.id}', so the file must be named ${entry.id}.json` });
  const manifest =
    entry.transport === 'stdio' ? [...packageFaults(entry), ...launchFaults(entry)] : remoteFaults(entry);
  return [...faults, ...manifest, ...variableFaults(entry.environmentVariables)];
}
