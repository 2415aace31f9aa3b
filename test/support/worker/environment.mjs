import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';
import { OpenApiSchemas } from './openapi-schemas.mjs';

const COMMITTED = resolve(import.meta.dirname, '../../../docs/openapi.json');
const require = createRequire(import.meta.url);
let openApi = null;

/**
 * Gives each test file what its Jest worker has loaded and compiled already: libraries, by the modules of this folder,
 * and the schemas of `docs/openapi.json`. Jest's loader would load and compile them again for each file: 0.5 s of
 * processor time. Like Node's own modules they belong to another realm than the test, so their errors are not an
 * `instanceof Error` there. Code of the service under test loads its own undici, because it asks for that.
 */
export default class WorkerEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.moduleOfTheWorker = (name) => require(name);
    this.global.openApiOfTheWorker = () => (openApi ??= readOpenApi());
  }
}

function readOpenApi() {
  const document = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  return { document, schemas: new OpenApiSchemas(document) };
}
