import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { copyAssets } from '../build/copy-assets.mjs';
import { inRoot } from '../paths.mjs';
import { compileDescribed } from './compile-described.mjs';
import { inWorkingOrder } from './path-order.mjs';

/** Returns the OpenAPI document of the sources as it is committed: in a fixed order, so that a diff shows only changes. */
export async function documentOfSources() {
  // Not beside dist: a build that runs meanwhile removes the drafts there.
  mkdirSync(inRoot('.tmp'), { recursive: true });
  const folder = mkdtempSync(inRoot('.tmp/openapi-'));
  try {
    await compileDescribed(folder);
    copyAssets(folder);
    return await documentOf(join(folder, 'src'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function documentOf(folder) {
  const load = (file) => import(pathToFileURL(join(folder, file)).href);
  const { AppModule } = await load('app.module.js');
  const { loadSettings } = await load('platform/config/load-settings.js');
  const { openApiDocument } = await load('platform/openapi/openapi-document.js');
  // A preview makes no providers, so nothing connects to this database.
  const module = AppModule.with(loadSettings({}), 'postgres://nobody@127.0.0.1:1/none');
  const app = await NestFactory.create(module, { preview: true, abortOnError: false, logger: false });
  const document = openApiDocument(app);
  document.paths = Object.fromEntries(inWorkingOrder(document).map((path) => [path, document.paths[path]]));
  // Swagger UI shows the security schemes in their order, which starts with a person's key.
  document.components.schemas = sorted(document.components.schemas);
  for (const kind of ['responses', 'parameters', 'headers'])
    if (document.components[kind]) document.components[kind] = sorted(document.components[kind]);
  return `${JSON.stringify(document, null, 2)}\n`;
}

function sorted(parts) {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
