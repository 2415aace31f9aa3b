/** A JSON Schema of the document, or a reference to one. */
export type Schema = Record<string, unknown>;

export interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Response {
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
  $ref?: string;
}

/** The part of an operation that this folder reads and writes. */
export interface Operation extends Record<string, unknown> {
  summary?: string;
  tags?: string[];
  parameters?: { in: string; name: string; description?: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
}

export interface Components {
  schemas: Record<string, Schema>;
  responses?: Record<string, Response>;
  headers?: Record<string, unknown>;
  securitySchemes?: Record<string, object>;
}

/** The document as this folder uses it; @nestjs/swagger's own types are those of OpenAPI 3.0. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Components;
  tags: { name: string; description?: string }[];
}

/** The example of ids that are generated. */
export const SOME_ID = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09';

const EXAMPLE_OF_FORMAT: Record<string, unknown> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  uuid: SOME_ID,
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

/** The example of a text that nothing describes, as JSON. */
const PLACEHOLDER = JSON.stringify(EXAMPLE_OF_TYPE['string']);

/** Texts that mean the same in every object; the example of a field that a class declares comes before these. */
const EXAMPLE_OF_FIELD: Record<string, unknown> = {
  argumentsHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  args: ['{installDir}/node_modules/@acme/mcp/dist/index.js'],
  choices: ['eu', 'us'],
  command: 'node',
  configuredEnv: ['ACME_TOKEN'],
  content: 'The new importer is merged; please check the totals of March.',
  cwd: '{dataDir}',
  default: 'eu',
  description: 'Writes release notes from merged work.',
  detail: 'This agent is disabled: stop work. A person can enable it again.',
  droppedVariables: ['ACME_REGION'],
  hash: 'R2GJm2v1Yk7iXv0VtVhDLYqZbU3c8bS0Yw8sZ3iJ0eA',
  homepage: 'https://acme.example',
  installInstructions: 'Create a token in the Acme console.',
  installableReason: 'The runtime python was not found on this host.',
  integrity:
    'sha512-nhqGnbTAdb+BblDAG59vD0u4T3/QzDA7h6pYbBP1djH7RGjJcTg8uLVAJ7jNkbKF90NkQ/fF9K8u8SkKUQZEyQ==',
  license: 'MIT',
  missingEnv: [],
  missingVariables: ['ACME_TOKEN'],
  name: 'Release notes writer',
  note: 'Not on a Friday.',
  option: 'Publish today',
  options: ['Publish today', 'Wait until Monday'],
  outcome: 'ok',
  pattern: '^[a-z]+$',
  placeholder: 'eu',
  publisher: 'Acme',
  question: 'May I publish the release notes today?',
  recommended: 'Publish today',
  requestId: 'docs-1',
  runtimeVersion: '>=20',
  searchPaths: ['/usr/bin/chromium'],
  serverName: 'Everything for tests',
  session: '0199f0a0-session',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  source: SOME_ID,
  statusReason: 'The server ended five times within ten minutes.',
  target: SOME_ID,
  text: 'Publish them after the review.',
  title: 'Echo',
  tool: 'list_orders',
  toolName: 'echo',
  tools: ['echo'],
  type: 'text',
  verifiedBy: 'npm run catalog:check',
  version: '1.4.2',
};
/** Fields that hold generated ids. */
const ID_FIELD = /^id$|Ids?$/;

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
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOfField(name, field, components)]));
}

/** Returns the example of a field by its name where its class declares none and it is free text. */
function exampleOfField(name: string, field: Schema, components: Components): unknown {
  const example = exampleOf(field, components);
  const shown = JSON.stringify(example);
  if (shown !== PLACEHOLDER && shown !== `[${PLACEHOLDER}]`) return example;
  if (ID_FIELD.test(name)) return Array.isArray(example) ? [SOME_ID] : SOME_ID;
  return EXAMPLE_OF_FIELD[name] ?? example;
}

/** Objects that the examples of the bodies create, so that Swagger UI's forms can be sent unchanged, one after another. */
const EXAMPLES: Record<string, string> = {
  projectId: 'DOCS',
  issueId: 'DOCS-1',
  toolName: 'echo',
  'GET /api/mcp/catalog/{id}': 'memory',
};

/** Gives each path parameter an example, and `me` where an agent acts for itself. */
export function addParameterExamples(route: string, operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'path' || parameter.example !== undefined) continue;
    parameter.example =
      EXAMPLES[route] ?? EXAMPLES[parameter.name] ?? (isForItself(parameter.description) ? 'me' : SOME_ID);
  }
}

function isForItself(description = ''): boolean {
  return description.startsWith('The calling agent');
}
