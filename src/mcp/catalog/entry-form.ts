import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Fault } from '../../platform/http/problem.js';
import type { CatalogEntry } from './catalog-entry.js';

const schema: object = JSON.parse(
  readFileSync(new URL('./catalog-entry.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
});
formats.default(ajv);
const validate = ajv.compile<CatalogEntry>(schema);

export type Formed = { entry: CatalogEntry; faults?: undefined } | { entry?: undefined; faults: Fault[] };

/** Holds a parsed file against `catalog-entry.schema.json` and fills in its defaults, in place. */
export function formEntry(parsed: unknown): Formed {
  if (validate(parsed)) return { entry: parsed };
  const errors = validate.errors ?? [];
  return { faults: errors.filter((error) => error.keyword !== 'if').map(faultOf) };
}

function faultOf(error: ErrorObject): Fault {
  const missing: unknown = error.keyword === 'required' ? error.params.missingProperty : undefined;
  if (typeof missing === 'string')
    return { path: dotted(`${error.instancePath}/${missing}`), message: 'is required' };
  return { path: dotted(error.instancePath), message: sentenceOf(error) };
}

/** `/manifest/launch/args/0` is told as `manifest.launch.args[0]`. */
function dotted(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  );
}

/** Ajv's own words, but for the keywords whose words name no cause. */
function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties')
    return `has an unknown field: ${error.params.additionalProperty}`;
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(error.schema)}`;
  if (error.keyword === 'not') return `is not allowed here: ${error.parentSchema?.description ?? ''}`.trim();
  return error.message ?? 'is not valid';
}
