import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closeSchemas } from './closed-schemas.mjs';

/** Compiles the closed schemas of an OpenAPI document, each when it is first needed. */
export class OpenApiSchemas {
  #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });

  constructor(document) {
    addFormats(this.#ajv);
    this.#ajv.addSchema(closeSchemas(document), 'api', undefined, false);
  }

  /** Returns the validator of the schema at this place of the document. */
  at(pointer) {
    const reference = `api#/${pointer.map(escaped).join('/')}`;
    return this.#ajv.getSchema(reference) ?? this.#ajv.compile({ $ref: reference });
  }
}

/** Escapes a part of a JSON pointer in a URI fragment. */
function escaped(name) {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
