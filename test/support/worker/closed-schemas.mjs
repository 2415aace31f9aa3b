/**
 * Returns a copy of an OpenAPI document whose objects accept only the fields that they name, unless they set
 * `additionalProperties`. Parts of an `allOf` stay open, and the whole is closed.
 */
export function closeSchemas(document) {
  const parts = new Set();
  collectParts(document, parts);
  return closed(document, parts, '#');
}

function collectParts(value, parts) {
  if (value === null || typeof value !== 'object') return;
  const { allOf } = value;
  if (Array.isArray(allOf) && allOf.length > 1)
    for (const { $ref } of allOf) if (typeof $ref === 'string') parts.add($ref);
  for (const part of Object.values(value)) collectParts(part, parts);
}

function closed(value, parts, pointer, isPart = false) {
  if (Array.isArray(value))
    return value.map((item, index) => closed(item, parts, `${pointer}/${index}`, isPart));
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      closed(part, parts, `${pointer}/${name}`, name === 'allOf'),
    ]),
  );
  const isOpen = isPart || parts.has(pointer) || !isObjectSchema(copy);
  return isOpen ? copy : { ...copy, unevaluatedProperties: false };
}

/** `example` and `default` may hold a key named `type` too; an addition there is harmless. */
function isObjectSchema(value) {
  if ('additionalProperties' in value) return false;
  return [value.type].flat().includes('object') || (Array.isArray(value.allOf) && value.allOf.length > 1);
}
