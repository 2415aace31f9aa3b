import type { Components, Operation, Response, Schema } from './openapi.types.js';

const EXAMPLE_OF_FORMAT: Record<string, unknown> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  uuid: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09',
  email: 'ada@example.com',
  uri: 'https://example.com',
};
const EXAMPLE_OF_TYPE: Record<string, unknown> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: false,
  object: {},
  null: null,
};

/** Gives each body of an operation an example that consists of its fields' examples (contract §8). */
export function addExamples(operation: Operation, components: Components): void {
  const responses = Object.values(operation.responses) as Response[];
  for (const { content } of [operation.requestBody, ...responses].filter((part) => part !== undefined))
    for (const media of Object.values(content ?? {}))
      if (media.schema && !('examples' in media)) media.example ??= exampleOf(media.schema, components);
}

/** Returns an example of a schema: its own, a value that it names, or its fields' examples. */
function exampleOf(schema: Schema, components: Components): unknown {
  const { example, default: preset, enum: values, properties, items, format } = schema;
  if (example !== undefined) return example;
  const part = partOf(schema, components);
  if (part) return exampleOf(part, components);
  if (preset !== undefined) return preset;
  if (Array.isArray(values)) return values[0];
  if (items) return [exampleOf(items as Schema, components)];
  if (properties) return exampleOfFields(schema, components);
  return EXAMPLE_OF_FORMAT[format as string] ?? EXAMPLE_OF_TYPE[[schema['type']].flat()[0] as string] ?? null;
}

/** Returns the schema that a reference points to. */
function partOf({ $ref, allOf, anyOf, oneOf }: Schema, { schemas }: Components): Schema | undefined {
  if (typeof $ref === 'string') return schemas[$ref.split('/').at(-1)!];
  return ([allOf, anyOf, oneOf] as (Schema[] | undefined)[]).find((parts) => parts)?.[0];
}

/** Whether an optional field is part of the example: only when it declares one. */
function exampleOfFields({ properties, required = [] }: Schema, components: Components): unknown {
  const shown = Object.entries(properties as Record<string, Schema>).filter(
    ([name, field]) => (required as string[]).includes(name) || field['example'] !== undefined,
  );
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, components)]));
}
