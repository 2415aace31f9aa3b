import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import type { MappedRoute } from '../http/mapped-routes.js';
import { openApiDocument } from './openapi-document.js';

/** Where the document and Swagger UI are served. */
export const documentRoutes: MappedRoute[] = [
  { path: '/api/docs', method: 'get' },
  { path: '/api/openapi.json', method: 'get' },
];

/** The document is made when it is first asked for: that takes a tenth of a start. */
export function serveDocument(app: INestApplication): void {
  SwaggerModule.setup('api/docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Agent Work Platform API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true, displayRequestDuration: true },
  });
}
