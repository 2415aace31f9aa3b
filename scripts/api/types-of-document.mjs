import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Made by `npm run openapi` from docs/openapi.json: paths, bodies and answers as types.\n\n';

/** The types of a client of this document; what has a default may be left out of a request. */
export async function typesOfDocument(text) {
  return HEAD + astToString(await openapiTS(JSON.parse(text), { defaultNonNullable: false }));
}
