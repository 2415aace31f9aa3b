import type { OpenApiDocument, Schema } from '../../../support/openapi-paths.js';

/** The way to a value in a body: names of fields, and 0 for the first item of an array. */
export type Place = readonly (string | number)[];

/** The key that stands for any key of a map. */
export const ANY_KEY = 'NAME';
const DEEPEST = 6;

/** Returns every place of a body where a schema takes a text, whichever alternative of it takes one. */
export function textPlaces(document: OpenApiDocument, schema: Schema, depth = 0): Place[] {
  if (depth > DEEPEST) return [];
  const { properties, items, additionalProperties: map } = resolved(document, schema);
  const below = (name: string | number, part: Schema) =>
    textPlaces(document, part, depth + 1).map((place) => [name, ...place]);
  const isMap = map !== undefined && map !== false;
  return unique([
    ...(takesText(document, schema) ? [[]] : []),
    ...alternativesOf(document, schema).flatMap((part) => textPlaces(document, part, depth + 1)),
    ...Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, part]) =>
      below(name, part),
    ),
    ...(items ? below(0, items as Schema) : []),
    ...(isMap && !properties ? below(ANY_KEY, map === true ? { type: 'string' } : (map as Schema)) : []),
  ]);
}

/** Returns a value of the schema that has every field, with `text` where it takes any text. */
export function sampleOf(document: OpenApiDocument, schema: Schema, text: string, depth = 0): unknown {
  const { type, properties, items, enum: values, example } = resolved(document, schema);
  if (example !== undefined) return example;
  if (Array.isArray(values)) return values[0];
  const [part] = alternativesOf(document, schema);
  if (part && depth <= DEEPEST) return sampleOf(document, part, text, depth + 1);
  if (properties)
    return Object.fromEntries(
      Object.entries(properties as Record<string, Schema>).map(([name, field]) => [
        name,
        sampleOf(document, field, text, depth + 1),
      ]),
    );
  if (items) return [sampleOf(document, items as Schema, text, depth + 1)];
  const plain: Record<string, unknown> = { integer: 1, number: 1, boolean: false, object: {} };
  return plain[[type].flat()[0] as string] ?? text;
}

/** Returns the body with `value` at a place; what is missing on the way is added. */
export function withValue(body: unknown, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === 'number') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return { ...fields, [name]: withValue((fields as Record<string, unknown>)[name], rest, value) };
}

function resolved(document: OpenApiDocument, schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...document.components.schemas[$ref.split('/').at(-1)!], ...schema, $ref: undefined };
}

function alternativesOf(document: OpenApiDocument, schema: Schema): Schema[] {
  const { allOf, anyOf, oneOf } = resolved(document, schema);
  return [allOf, anyOf, oneOf].flatMap((parts) => (Array.isArray(parts) ? (parts as Schema[]) : []));
}

function takesText(document: OpenApiDocument, schema: Schema): boolean {
  const { type, enum: values, properties, items, additionalProperties } = resolved(document, schema);
  if (Array.isArray(values)) return values.some((value) => typeof value === 'string');
  const isOpen = !type && !properties && !items && additionalProperties === undefined;
  return [type].flat().includes('string') || (isOpen && alternativesOf(document, schema).length === 0);
}

function unique(places: Place[]): Place[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}
