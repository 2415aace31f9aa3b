import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Made by `npm run openapi` from docs/openapi.json: paths, bodies and answers as types.\n\n';

/** Returns the types of a client of this document. A request may leave out fields that have a default. */
export async function typesOfDocument(text) {
  return HEAD + astToString(await openapiTS(JSON.parse(text), { defaultNonNullable: false }));
}
