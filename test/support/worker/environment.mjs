import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { types } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';
import { librariesOfTheWorker } from './libraries.mjs';
import { OpenApiSchemas } from './openapi-schemas.mjs';

const COMMITTED = resolve(import.meta.dirname, '../../../docs/openapi.json');
let openApi = null;

/**
 * Gives each test file what its Jest worker has loaded and compiled already: libraries (libraries.mjs), and the schemas of
 * `docs/openapi.json`. Jest's loader would load and compile them again for each file.
 */
export default class WorkerEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    const libraries = await librariesOfTheWorker();
    this.global.libraryOfTheWorker = (name) => libraries.get(name);
    this.global.openApiOfTheWorker = () => (openApi ??= readOpenApi());
    joinRealms(this.global);
  }
}

/**
 * Like Node's own modules, the libraries belong to another realm than the test, with its own globals. Both must have the
 * same `Reflect`, which keeps the metadata of decorators, and the same types that this metadata names. An error of a
 * library must be an `instanceof Error` in the test.
 */
function joinRealms(global) {
  Object.assign(global, { Reflect, String, Number, Boolean, Date });
  const { Error } = global;
  const ordinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(error) {
      return ordinary.call(this, error) || (this === Error && types.isNativeError(error));
    },
  });
}

function readOpenApi() {
  const document = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  return { document, schemas: new OpenApiSchemas(document) };
}
