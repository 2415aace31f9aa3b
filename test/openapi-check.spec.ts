import { describe, expect, it } from '@jest/globals';
import type { Answer, RequestOptions } from './support/answer.js';
import { OpenApiCheck } from './support/openapi-check.js';
import type { OpenApiDocument, Schema } from './support/openapi-paths.js';

const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const thing = { $ref: '#/components/schemas/Thing' };
const problem = (code: string) => ({
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { code: { enum: [code] } } },
        ],
      },
    },
  },
});

const check = new OpenApiCheck({
  paths: {
    '/things': {
      get: { responses: { '200': json({ type: 'array', items: thing }) } },
      post: {
        requestBody: json(object({ name: { type: 'string' } })),
        responses: { '201': json(thing), '409': { $ref: '#/components/responses/name_taken' } },
      },
    },
    '/things/{id}': { get: { responses: { '200': json(thing) } }, delete: { responses: { '204': {} } } },
    '/things/all': { get: { responses: { '200': json({ type: 'string' }) } } },
  },
  components: {
    schemas: {
      Thing: object({ id: { type: 'string' }, at: { type: ['string', 'null'], format: 'date-time' } }),
      Problem: object({ code: { type: 'string' }, detail: { type: 'string' } }),
    },
    responses: { name_taken: problem('name_taken') },
  },
} satisfies OpenApiDocument);

interface Given extends Partial<Answer<unknown>> {
  type?: string;
}

function hold(
  method: string,
  path: string,
  status: number,
  given: Given = {},
  sent: RequestOptions = {},
): void {
  const text = given.body === undefined ? '' : JSON.stringify(given.body);
  const headers = {
    'x-request-id': 'x',
    'content-type': given.type ?? 'application/json; charset=utf-8',
    ...given.headers,
  };
  check.hold({ method, path, status, body: given.body, text, bytes: Buffer.from(text), headers }, sent);
}

const aThing = { id: 'x', at: null };
const aProblem = { type: 'application/problem+json', body: { code: 'name_taken', detail: 'x' } };
const made = { body: aThing, headers: { location: '/things/x' } };

describe('a response passes', () => {
  it.each<[string, () => void]>([
    ['as documented', () => hold('GET', '/things/x?y=1', 200, { body: aThing })],
    [
      'as a list',
      () => hold('GET', '/things', 200, { body: [aThing, { ...aThing, at: '2026-01-01T00:00:00.000Z' }] }),
    ],
    ['without a body when none is documented', () => hold('DELETE', '/things/x', 204)],
    ['of a path without parameters', () => hold('GET', '/things/all', 200, { body: 'all' })],
    ['as a creation', () => hold('POST', '/things', 201, made, { body: { name: 'x' } })],
    ['as an error', () => hold('POST', '/things', 409, aProblem, { body: { anything: 1 } })],
    ['as the 404 of an unknown route', () => hold('GET', '/nothing', 404, aProblem)],
    ['as the 405 of a known path', () => hold('PUT', '/things', 405, aProblem)],
    ['to HEAD, as to GET', () => hold('HEAD', '/things/x', 200)],
  ])('%s', (_, act) => {
    expect(act).not.toThrow();
  });
});

describe('a response is rejected', () => {
  it.each<[string, () => void, RegExp]>([
    [
      'with a field that is not documented',
      () => hold('GET', '/things/x', 200, { body: { ...aThing, more: 1 } }),
      /more/,
    ],
    [
      'in a list with an undocumented field',
      () => hold('GET', '/things', 200, { body: [{ ...aThing, more: 1 }] }),
      /more/,
    ],
    ['without a field', () => hold('GET', '/things/x', 200, { body: { id: 'x' } }), /at/],
    ['with another type', () => hold('GET', '/things/x', 200, { body: { id: 1, at: null } }), /string/],
    [
      'with an invalid time',
      () => hold('GET', '/things/x', 200, { body: { id: 'x', at: 'now' } }),
      /date-time/,
    ],
    ['with a status that is not documented', () => hold('GET', '/things/x', 202, { body: aThing }), /202/],
    [
      'with a body when none is documented',
      () => hold('DELETE', '/things/x', 204, { body: aThing }),
      /none is documented/,
    ],
    [
      'of another media type',
      () => hold('GET', '/things/x', 200, { body: aThing, type: 'text/html' }),
      /text\/html/,
    ],
    ['of an unknown route', () => hold('GET', '/nothing', 200, { body: aThing }), /not documented/],
    ['of an unknown method', () => hold('PUT', '/things/x', 200, { body: aThing }), /not documented/],
    [
      'of an unknown route in another form',
      () => hold('GET', '/nothing', 404, { body: { message: 'x' } }),
      /code/,
    ],
    ['as a creation without a Location', () => hold('POST', '/things', 201, { body: aThing }), /Location/],
    [
      'without a request id',
      () => hold('GET', '/things/x', 200, { body: aThing, headers: { 'x-request-id': '' } }),
      /X-Request-Id/,
    ],
    [
      'as an error in plain JSON',
      () => hold('POST', '/things', 409, { ...aProblem, type: 'application/json' }),
      /problem\+json/,
    ],
    [
      'with a code that the operation does not document',
      () => hold('POST', '/things', 409, { ...aProblem, body: { code: 'x', detail: 'x' } }),
      /code/,
    ],
    [
      'with a member that the error does not document',
      () => hold('POST', '/things', 409, { ...aProblem, body: { ...aProblem.body, more: 1 } }),
      /more/,
    ],
    [
      'after a request with an undocumented field',
      () => hold('POST', '/things', 201, made, { body: { name: 'x', more: 1 } }),
      /accepted.*more/,
    ],
    [
      'after a request with an undocumented body',
      () => hold('DELETE', '/things/x', 204, {}, { body: { force: true } }),
      /accepted/,
    ],
  ])('%s', (_, act, expected) => {
    expect(act).toThrow(expected);
  });
});
