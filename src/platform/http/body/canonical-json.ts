import canonicalizeModule from 'canonicalize';

// The package is CommonJS but its types declare `export default`, so the import is the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** Returns canonical JSON (RFC 8785): equal values have equal text, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? '';
}
