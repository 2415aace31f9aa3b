import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../dist/src/app.module.js';
import { loadSettings } from '../../dist/src/platform/config/load-settings.js';
import { openApiDocument } from '../../dist/src/platform/openapi/openapi-document.js';

/** The OpenAPI document as it is committed: names in order, so that a change shows as just that. */
export async function documentOfBuild() {
  // A preview makes no providers, so nothing connects to this database.
  const module = AppModule.with(loadSettings({}), 'postgres://nobody@127.0.0.1:1/none');
  const app = await NestFactory.create(module, { preview: true, abortOnError: false, logger: false });
  const document = openApiDocument(app);
  document.paths = sorted(document.paths);
  for (const [kind, parts] of Object.entries(document.components)) document.components[kind] = sorted(parts);
  return `${JSON.stringify(document, null, 2)}\n`;
}

function sorted(parts) {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
