import type { Document, Operation, Schema } from './openapi.types.js';

/** The one scheme of the page: Swagger UI focuses the last of several, and a browser cannot send a cookie by a form. */
const KEY_SCHEME = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      "Your key: a person's begins with `awp_u_`, an agent's with `awp_a_`. This page forgets it when it is closed or reloaded.",
  },
};

const SESSION_ONLY = 'It needs the session of this browser: execute POST /api/auth/login first.';
const AGENT_ONLY = "It needs an agent's key.";

/** Paths that come first in their group, in this order; the others keep the order of the document. */
const FIRST_OF_GROUP = [
  '/api/auth/login',
  '/api/auth/me',
  '/api/mcp/runtime',
  '/api/mcp/catalog',
  '/api/mcp/catalog/{id}',
  '/api/mcp/installed',
];

/**
 * Returns the document as Swagger UI shows it: one field for any key, no example in an optional parameter, since the page
 * would send it, and errors as one line each instead of one example each. `/api/openapi.json` serves the whole document.
 */
export function documentOfPage(whole: Document): Document {
  const document = structuredClone(whole);
  document.paths = Object.fromEntries(
    Object.entries(document.paths).sort(([a], [b]) => rankOf(a) - rankOf(b)),
  );
  document.components.securitySchemes = KEY_SCHEME;
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) simplify(operation, document);
  return document;
}

function rankOf(path: string): number {
  const index = FIRST_OF_GROUP.indexOf(path);
  return index < 0 ? FIRST_OF_GROUP.length : index;
}

function simplify(operation: Operation, { components }: Document): void {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  if (schemes.join() === 'session') addToDescription(operation, SESSION_ONLY);
  if (schemes.join() === 'agent') addToDescription(operation, AGENT_ONLY);
  operation.security = schemes.some((name) => name !== 'session') ? [{ key: [] }] : [];
  for (const parameter of operation.parameters ?? []) moveExample(parameter);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (status < '400') continue;
    const shared =
      response.$ref === undefined ? response : components.responses?.[response.$ref.split('/').at(-1)!];
    operation.responses[status] = { description: shared?.description ?? '' };
  }
}

function addToDescription(operation: Operation, sentence: string): void {
  operation['description'] = [operation['description'], sentence].filter(Boolean).join('\n\n');
}

/** Swagger UI sends the example of a parameter that is left alone: of an optional one it belongs into the description. */
function moveExample(parameter: NonNullable<Operation['parameters']>[number] & { required?: boolean }): void {
  const schema = (parameter as { schema?: Schema }).schema;
  const example = parameter.example ?? schema?.['example'];
  if (parameter.required === true || example === undefined) return;
  delete parameter.example;
  delete schema?.['example'];
  parameter.description = [parameter.description, `Example: \`${String(example)}\`.`]
    .filter(Boolean)
    .join(' ');
}
