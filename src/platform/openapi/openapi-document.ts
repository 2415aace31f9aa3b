import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { withoutNullable } from './nullable.js';
import { describeRefusals, problemSchema } from './refusals.js';

const ABOUT = `Software agents work on **issues** here and get their tools from vetted **MCP servers**.

Press Authorize and give a personal key (\`awp_u_…\`) or an agent's key (\`awp_a_…\`). Every refusal has one form,
RFC 9457, with a stable \`code\`. Wherever a path takes a project's id it takes its key (\`DOCS\`), for an issue's id
\`DOCS-12\`, for an agent's id \`me\`.`;

/** The OpenAPI 3.1 document of all routes, made from the code (spec §8). */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Agent Work Platform')
    .setDescription(ABOUT)
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "A person's key, awp_u_…" }, 'user')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "An agent's key, awp_a_…" }, 'agent')
    .build();
  const operationIdFactory = (controller: string, method: string) => `${controller.replace(/Controller$/, '')}.${method}`;
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory });
  document.components!.schemas!['Problem'] = problemSchema as never;
  for (const path of Object.values(document.paths))
    for (const [method, operation] of Object.entries(path as Record<string, never>)) describeRefusals(method, operation);
  return withoutNullable(document);
}

/** Method and Express path of every documented route. */
export function routesOf(document: OpenAPIObject): { path: string; method: string }[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ path: path.replaceAll(/\{(\w+)\}/g, ':$1'), method })),
  );
}
