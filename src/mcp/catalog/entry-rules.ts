import type { FieldError } from '../../platform/http/problem/problem.js';
import type { CatalogEntry } from './catalog-entry.js';
import { launchErrors } from './launch-rules.js';
import { packageErrors } from './package-rules.js';
import { remoteErrors } from './remote-rules.js';
import { variableErrors } from './variable-rules.js';

/**
 * Checks the rules that JSON Schema cannot express (the descriptions of catalog-entry.schema.json; contract §3.1) and
 * returns every error in the order of the file.
 */
export function entryErrors(entry: CatalogEntry, fileName: string): FieldError[] {
  const errors: FieldError[] = [];
  if (fileName !== `${entry.id}.json`)
    errors.push({ path: 'id', message: `is '${entry.id}', so the file must be named ${entry.id}.json` });
  const manifest =
    entry.transport === 'stdio' ? [...packageErrors(entry), ...launchErrors(entry)] : remoteErrors(entry);
  return [...errors, ...manifest, ...variableErrors(entry.environmentVariables)];
}
