import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { openApiDocument, routesOf } from './openapi-document.js';

/** Serves the document and Swagger UI; tells every route that the service has. */
export function serveDocument(app: INestApplication): { path: string; method: string }[] {
  const document = openApiDocument(app);
  SwaggerModule.setup('api/docs', app, document, {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Agent Work Platform API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true, displayRequestDuration: true },
  });
  return [
    ...routesOf(document),
    { path: '/api/docs', method: 'get' },
    { path: '/api/openapi.json', method: 'get' },
  ];
}
