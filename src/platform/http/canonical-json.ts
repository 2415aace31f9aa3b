import canonicalizeModule from 'canonicalize';

// The package is CommonJS whose types say `export default`, so what the import gives is the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** JSON in one form only (RFC 8785): equal values give equal text, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? '';
}
