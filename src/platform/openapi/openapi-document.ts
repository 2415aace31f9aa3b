import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SESSION_COOKIE } from '../auth/sessions/session-cookie.js';
import { addExamples } from './examples.js';
import { asOpenApi31 } from './openapi-31.js';
import type { Document } from './openapi.types.js';
import { addParameterExamples } from './parameter-examples.js';
import { problemSchema } from './problem-schema.js';
import { describeRefusals } from './refusals.js';
import { describeHeaders } from './response-headers.js';
import { tags } from './tags.js';

const ABOUT = `Software agents work on **issues** here and get their tools from vetted **MCP servers**.

Press Authorize and give a personal key (\`awp_u_…\`) or an agent's key (\`awp_a_…\`). Every refusal has one form,
RFC 9457, with a stable \`code\`. Wherever a path takes a project's id it takes its key (\`DOCS\`), for an issue's id
\`DOCS-12\`, for an agent's id \`me\`.`;

const ABOUT_SESSIONS = `A person's session, of POST /api/auth/login; over HTTPS the cookie is \`__Host-${SESSION_COOKIE}\`. With a key
in the same request the key counts. A change needs \`Sec-Fetch-Site: same-origin\` or an \`Origin\` of the service or of
DASHBOARD_ORIGINS.`;

/** The OpenAPI 3.1 document of all routes, made from the code (spec §8). */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const operationIdFactory = (controller: string, method: string) =>
    `${controller.replace(/Controller$/, '')}.${method}`;
  const made = SwaggerModule.createDocument(app, description(), { operationIdFactory });
  const document = asOpenApi31(made) as unknown as Document;
  document.components.schemas['Problem'] = problemSchema;
  document.tags = document.tags.filter(({ name }) => isUsed(name, document));
  dropBorrowedDescriptions(document);
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      operation.security ??= [];
      addParameterExamples(`${method.toUpperCase()} ${path}`, operation);
      addExamples(operation, document.components);
      describeHeaders(operation, document.components);
      describeRefusals(method, operation, document.components);
    }
  return document as unknown as OpenAPIObject;
}

function description() {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Agent Work Platform')
    .setDescription(ABOUT)
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "A person's key, awp_u_…" }, 'user')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "An agent's key, awp_a_…" }, 'agent')
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', in: 'cookie', description: ABOUT_SESSIONS }, 'session');
  for (const [name, about] of Object.entries(tags)) builder.addTag(name, about);
  return builder.build();
}

function isUsed(tag: string, { paths }: Document): boolean {
  return Object.values(paths).some((path) => Object.values(path).some(({ tags }) => tags?.includes(tag)));
}

/** A shared enum takes its description and example from the first field that has its type: they are not its own. */
function dropBorrowedDescriptions({ components }: Document): void {
  for (const schema of Object.values(components.schemas))
    if ('enum' in schema) for (const name of ['description', 'example', 'default']) delete schema[name];
}
