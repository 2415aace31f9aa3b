import type { OpenApiDocument, Schema } from './openapi-paths.js';

/**
 * Returns a copy of the document whose objects accept only the fields that they name, unless they set
 * `additionalProperties`. Parts of an `allOf` stay open, and the whole is closed.
 */
export function closeSchemas(document: OpenApiDocument): OpenApiDocument {
  const parts = new Set<string>();
  collectParts(document, parts);
  return closed(document, parts, '#') as OpenApiDocument;
}

function collectParts(value: unknown, parts: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  const { allOf } = value as { allOf?: Schema[] };
  if (Array.isArray(allOf) && allOf.length > 1)
    for (const { $ref } of allOf) if (typeof $ref === 'string') parts.add($ref);
  for (const part of Object.values(value)) collectParts(part, parts);
}

function closed(value: unknown, parts: Set<string>, pointer: string, isPart = false): unknown {
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
function isObjectSchema(value: Schema): boolean {
  if ('additionalProperties' in value) return false;
  return (
    [value['type']].flat().includes('object') || (Array.isArray(value['allOf']) && value['allOf'].length > 1)
  );
}
