import { readFileSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { MappedRoute } from '../http/routes/mapped-routes.js';

/** The routes of the document and of Swagger UI. */
export const documentRoutes: MappedRoute[] = [
  { path: '/api/docs', method: 'get' },
  { path: '/api/openapi.json', method: 'get' },
];

/**
 * Serves Swagger UI and the committed document, which the build copies here. Generating the document takes the swagger
 * plugin and the compiler in JavaScript, which cost a build 15 s of processor time.
 * `npm run openapi` generates it from the code, and a test compares the two.
 */
export function serveDocument(app: INestApplication): void {
  SwaggerModule.setup('api/docs', app, committedDocument, {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Agent Work Platform API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true, displayRequestDuration: true },
  });
}

function committedDocument(): OpenAPIObject {
  return JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
}
