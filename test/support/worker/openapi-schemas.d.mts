import type { ValidateFunction } from 'ajv';
import type { OpenApiDocument } from '../openapi-paths.js';

export class OpenApiSchemas {
  constructor(document: OpenApiDocument);
  at(pointer: string[]): ValidateFunction;
}
