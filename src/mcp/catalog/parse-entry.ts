import { readFileSync } from 'node:fs';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../../platform/http/problem.js';
import type { CatalogEntry } from './catalog-entry.js';

/** The JSON Schema of an entry, as GET /api/mcp/catalog/schema returns it. */
export const SCHEMA: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('./catalog-entry.schema.json', import.meta.url), 'utf8'),
);
/** Each start compiles the schema, and takes a third of the time when Ajv neither checks it nor optimizes the code. */
const ajv = new Ajv2020({
  validateSchema: false,
  code: { optimize: false },
  allErrors: true,
  useDefaults: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
});
formats.default(ajv);
const validate = ajv.compile<CatalogEntry>(SCHEMA);

export type ParsedEntry =
  { entry: CatalogEntry; errors?: undefined } | { entry?: undefined; errors: FieldError[] };

/** Validates a parsed file against `catalog-entry.schema.json` and fills in its defaults, in place. */
export function parseEntry(parsed: unknown): ParsedEntry {
  if (validate(parsed)) return { entry: parsed };
  const errors = validate.errors ?? [];
  return { errors: errors.filter((error) => error.keyword !== 'if').map(fieldErrorOf) };
}

function fieldErrorOf(error: ErrorObject): FieldError {
  const missing: unknown = error.keyword === 'required' ? error.params.missingProperty : undefined;
  if (typeof missing === 'string')
    return { path: dotted(`${error.instancePath}/${missing}`), message: 'is required' };
  return { path: dotted(error.instancePath), message: sentenceOf(error) };
}

/** Turns `/manifest/launch/args/0` into `manifest.launch.args[0]`. */
function dotted(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  );
}

/** Returns Ajv's own message, except for keywords whose message names no cause. */
function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties')
    return `has an unknown field: ${error.params.additionalProperty}`;
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(error.schema)}`;
  if (error.keyword === 'not') return `is not allowed here: ${error.parentSchema?.description ?? ''}`.trim();
  return error.message ?? 'is not valid';
}
