/**
 * Returns a copy of the named fields of an object. A response class lists in this way what it copies from its row; the
 * declared return type of its `from` makes the compiler report a field that is missing.
 */
export function pick<Source extends object, Key extends keyof Source>(
  source: Source,
  ...keys: readonly Key[]
): Pick<Source, Key> {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<Source, Key>;
}
