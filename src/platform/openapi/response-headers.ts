import type { Components, Operation, Response } from './openapi.types.js';

const header = (description: string, type = 'string') => ({ description, schema: { type } });

const headers = {
  'X-Request-Id': header(
    'The id under which the request is logged and audited; sent by the caller or generated.',
  ),
  Location: header('Path of the created object.'),
  Link: header('`<path>; rel="next"` unless it is the last page.'),
  'X-Total-Count': header('Number of rows in the whole list, with `count=true`.', 'integer'),
  'X-Total-Count-Capped': header('`true` when the list is longer than X-Total-Count.', 'boolean'),
  ETag: header('The version of the object, in quotes, for If-Match.'),
};

/** Adds the headers of an operation's successful responses (contract §1). */
export function describeHeaders(operation: Operation, components: Components): void {
  components.headers ??= headers;
  for (const [status, response] of Object.entries(operation.responses))
    if (status.startsWith('2'))
      response.headers = {
        ...Object.fromEntries(namesOf(status, operation, components).map(refer)),
        ...response.headers,
      };
}

function namesOf(status: string, operation: Operation, { schemas }: Components): (keyof typeof headers)[] {
  const isPage = (operation.parameters ?? []).some(({ name }) => name === 'cursor');
  return [
    'X-Request-Id',
    ...(status === '201' ? (['Location'] as const) : []),
    ...(isPage ? (['Link', 'X-Total-Count', 'X-Total-Count-Capped'] as const) : []),
    ...(hasVersion(operation.responses[status]!, schemas) ? (['ETag'] as const) : []),
  ];
}

function hasVersion({ content }: Response, schemas: Components['schemas']): boolean {
  const reference = content?.['application/json']?.schema?.['$ref'];
  const schema = typeof reference === 'string' ? schemas[reference.split('/').at(-1)!] : undefined;
  return schema !== undefined && 'version' in ((schema['properties'] ?? {}) as object);
}

function refer(name: string): [string, { $ref: string }] {
  return [name, { $ref: `#/components/headers/${name}` }];
}
