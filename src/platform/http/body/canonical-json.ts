import canonicalizeModule from 'canonicalize';

// The package is CommonJS but its types declare `export default`, so the import is the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/**
 * Returns canonical JSON (RFC 8785): equal values have equal text, whatever the order of their keys. The package throws
 * on a number that is not finite, which `JSON.parse` makes of `1e999`: it is written as null, as JSON does.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(hasOnlyFinite(value) ? value : JSON.parse(JSON.stringify(value))) ?? '';
}

function hasOnlyFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasOnlyFinite);
}
