import { readFileSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { MappedRoute } from '../http/routes.js';
import { documentOfPage, fillInCreatedIds, prepareForms } from './docs-page.js';
import type { Document } from './openapi.types.js';

/** The routes of the document and of Swagger UI. */
export const documentRoutes: MappedRoute[] = [
  { path: '/api/docs', method: 'get' },
  { path: '/api/openapi.json', method: 'get' },
];

/** Groups are closed and can be filtered; the key is not kept in the browser, where any script of this origin reads it. */
const PAGE_OPTIONS = {
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  onComplete: prepareForms,
  responseInterceptor: fillInCreatedIds,
};

/**
 * Serves Swagger UI and the committed document, which the build copies here. Generating the document takes the swagger
 * plugin and the compiler in JavaScript, which cost a build 15 s of processor time.
 * `npm run openapi` generates it from the code, and a test compares the two.
 */
export function serveDocument(app: INestApplication): void {
  SwaggerModule.setup(
    'api/docs',
    app,
    () => documentOfPage(committedDocument()) as unknown as OpenAPIObject,
    {
      raw: false,
      customSiteTitle: 'Agent Work Platform API',
      swaggerOptions: PAGE_OPTIONS,
    },
  );
  SwaggerModule.setup('api/docs', app, () => committedDocument() as unknown as OpenAPIObject, {
    ui: false,
    raw: ['json'],
    jsonDocumentUrl: 'api/openapi.json',
  });
}

function committedDocument(): Document {
  return JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8')) as Document;
}
