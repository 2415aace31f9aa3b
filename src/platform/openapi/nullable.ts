type Schema = Record<string, unknown>;

/** Writes `nullable: true` of OpenAPI 3.0, which the decorators make, as 3.1 says it: `null` among the types. */
export function withoutNullable<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNullable) as T;
  if (value === null || typeof value !== 'object') return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withoutNullable(part) as unknown]),
  ) as Schema;
  return (nullable === true ? orNull(rest) : rest) as T;
}

function orNull(schema: Schema): Schema {
  const { type, enum: values, allOf, $ref, ...rest } = schema;
  const reference = $ref ?? (allOf as Schema[] | undefined)?.[0]?.['$ref'];
  if (reference !== undefined) return { ...rest, anyOf: [{ $ref: reference }, { type: 'null' }] };
  if (Array.isArray(values)) return { ...rest, ...(type === undefined ? {} : { type: [type, 'null'] }), enum: [...values, null] };
  return type === undefined ? schema : { ...rest, type: [type, 'null'] };
}
