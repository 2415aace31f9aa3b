import canonicalizeModule from 'canonicalize';
import { jsonText, parseJson, withMarks, withoutMarks } from '../../json/exact-json.js';
import { ExactNumber } from '../../json/exact-number.js';

// The package is CommonJS but its types declare `export default`, so the import is the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/**
 * Returns canonical JSON (RFC 8785): equal values have equal text, whatever the order of their keys. The package throws
 * on a number that is not finite: it is written as null, as JSON does. A number that JavaScript cannot hold is written
 * with its own digits.
 */
export function canonicalJson(value: unknown): string {
  const finite = hasOnlyFinite(value) ? value : parseJson(jsonText(value));
  return withoutMarks(canonicalize(withMarks(finite)) ?? '');
}

function hasOnlyFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return true;
  return Object.values(value).every(hasOnlyFinite);
}
