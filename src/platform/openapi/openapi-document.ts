import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SESSION_COOKIE } from '../authentication/session-cookie-authentication.service.js';
import { VERSION } from '../config/settings.js';
import { IDEMPOTENCY_EXTENSION } from '../http/route.decorators.js';
import {
  addExamples,
  addParameterExamples,
  type Document,
  type Operation,
  type Schema,
} from './openapi-examples.js';
import { describeHeaders, describeRefusals, problemSchema } from './openapi-responses.js';

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

/** The areas of the API in the order in which an operator meets them. */
export const tags: Record<string, string> = {
  Projects: 'Projects hold issues and decide who sees them.',
  Goals: 'Goals that issues of a project serve.',
  Issues: 'Units of work that agents execute.',
  Attention: 'What needs a person, one item per cause.',
  Links: 'Which issues block, duplicate or relate to which.',
  Gates: 'Decisions and answers that only a person can give.',
  Labels: 'Labels of a project, by which its issues are sorted and found.',
  Code: 'Branches, commits and pull requests of issues, and the deliveries by which code hosts report on them.',
  Schedules: 'Times at which a project gets an issue.',
  Views: 'Filters, order, groups and columns of a list of issues, under a name.',
  Comments: 'Comments of people and agents on an issue.',
  Attachments: 'Files on an issue.',
  Agents: 'The register of agents and their keys.',
  'Agents at work': 'Routes that an agent calls for itself: heartbeats, turns, tools.',
  Usage: 'What agents used, as they report it and as the service counts it.',
  'MCP servers': 'The catalogue, installed servers, their tools, and which agent may use what.',
  'Users and keys': 'People, their roles and keys.',
  Sessions: 'Signing in on the dashboard.',
  Events: 'The live stream of events.',
  Webhooks: 'Delivery of events to other systems.',
  Audit: 'The record of who did what.',
  Operation: 'Health and metrics.',
};

const ABOUT = `Software agents work on **issues** and use tools of vetted **MCP servers**.

Press Authorize and enter a personal key (\`awp_u_…\`) or an agent's key (\`awp_a_…\`). Every error has one form,
RFC 9457, with a stable \`code\`. A path accepts the key of a project (\`DOCS\`) or an issue (\`DOCS-1\`) wherever it takes an
id, and \`me\` for an agent's id.

The examples follow from each other: on a new instance create the project, then two issues, a link, a comment and an
attachment, and send each form as it is. Ids of other objects are generated: Swagger UI fills in those that you create.`;

const ABOUT_SESSIONS = `The session of a person, created by POST /api/auth/login; over HTTPS the cookie is \`__Host-${SESSION_COOKIE}\`. If the
request also carries a key, the key is used. A change needs \`Sec-Fetch-Site: same-origin\` or an \`Origin\` of the service or of
DASHBOARD_ORIGINS.`;

/** Without a format of its own, @nestjs/swagger documents a key as a JWT. */
const bearer = (about: string) =>
  ({ type: 'http', scheme: 'bearer', bearerFormat: 'opaque key', description: about }) as const;

/** Nest adds it to the methods of a controller with several paths. */
const INDEX_OF_PATH = /\[\d+\]$/;

/** Generates the OpenAPI 3.1 document of all routes from the code (contract §8). */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const operationIdFactory = (controller: string, method: string) =>
    `${controller.replace(/Controller$/, '')}.${method.replace(INDEX_OF_PATH, '')}`;
  const generated = SwaggerModule.createDocument(app, description(), { operationIdFactory });
  const document = asOpenApi31(generated) as unknown as Document;
  document.components.schemas['Problem'] = problemSchema;
  document.tags = document.tags.filter(({ name }) => isUsed(name, document));
  dropBorrowedDescriptions(document);
  separatePaths(document);
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      operation.security ??= [];
      addIdempotencyKey(method, operation);
      addParameterExamples(`${method.toUpperCase()} ${path}`, operation);
      addExamples(operation, document.components);
      describeHeaders(operation, document.components);
      describeRefusals(method, operation, document.components);
    }
  return document as unknown as OpenAPIObject;
}

/** Every route that changes something accepts the key, unless it refuses it (contract §1.7). */
function addIdempotencyKey(method: string, operation: Operation): void {
  if (method === 'get' || operation[IDEMPOTENCY_EXTENSION] === 'refused') return;
  operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
}

function description() {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Agent Work Platform')
    .setDescription(ABOUT)
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addBearerAuth(bearer("A person's key, awp_u_…"), 'user')
    .addBearerAuth(bearer("An agent's key, awp_a_…"), 'agent')
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', in: 'cookie', description: ABOUT_SESSIONS }, 'session');
  for (const [name, about] of Object.entries(tags)) builder.addTag(name, about);
  return builder.build();
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key, caller, path and body within 24 hours return the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function isUsed(tag: string, { paths }: Document): boolean {
  return Object.values(paths).some((path) =>
    Object.values(path).some((operation) => operation.tags?.includes(tag)),
  );
}

/** Removes what a shared enum takes from the first field of its type: description, example and default are that field's. */
function dropBorrowedDescriptions({ components }: Document): void {
  for (const schema of Object.values(components.schemas))
    if ('enum' in schema) for (const name of ['description', 'example', 'default']) delete schema[name];
}

/** A controller with two paths gives both the same operation ids, and both the path parameters of either. */
function separatePaths({ paths }: Document): void {
  const used = new Map<string, number>();
  for (const [path, operations] of Object.entries(paths))
    for (const operation of Object.values(operations)) {
      const isInPath = ({ in: place, name }: { in: string; name: string }) =>
        place !== 'path' || path.includes(`{${name}}`);
      if (operation.parameters) operation.parameters = operation.parameters.filter(isInPath);
      const id = String(operation['operationId']);
      const count = (used.get(id) ?? 0) + 1;
      used.set(id, count);
      if (count > 1) operation['operationId'] = `${id}${count}`;
    }
}
