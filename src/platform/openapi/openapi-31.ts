import type { Schema } from './openapi.types.js';

/**
 * Converts what the decorators write for OpenAPI 3.0 to 3.1: `nullable: true` becomes `null` among the types, and a
 * reference takes a description beside it without an `allOf` of one. When a field is declared as a string that the code
 * splits into a list, the compiler plugin's schema of the list's items is removed.
 */
export function asOpenApi31<T>(value: T): T {
  if (Array.isArray(value)) return value.map(asOpenApi31) as T;
  if (value === null || typeof value !== 'object') return value;
  const parts = Object.entries(value).map(([name, part]) => [name, asOpenApi31(part) as unknown]);
  const { nullable, ...schema } = unwrapped(Object.fromEntries(parts) as Schema);
  return (nullable === true ? orNull(schema) : schema) as T;
}

function unwrapped({ allOf, ...whole }: Schema): Schema {
  const { items: _, ...scalar } = whole;
  const schema = whole['type'] === 'string' ? scalar : whole;
  if (!Array.isArray(allOf)) return schema;
  return allOf.length === 1 ? { ...(allOf[0] as Schema), ...schema } : { allOf, ...schema };
}

function orNull(schema: Schema): Schema {
  const { $ref, type, enum: values, ...rest } = schema;
  if ($ref !== undefined) return { ...rest, anyOf: [{ $ref }, { type: 'null' }] };
  const nullableType = type === undefined ? {} : { type: [type, 'null'] };
  return {
    ...rest,
    ...nullableType,
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}
