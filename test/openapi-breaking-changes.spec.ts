import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges, LOOKED_AT } from './support/breaking-changes.js';
import type { OpenApiDocument, Schema } from './support/openapi-paths.js';

const committed = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')) as OpenApiDocument;

describe('the committed OpenAPI document', () => {
  it('breaks no client of the released one: it only adds (`npm run openapi -- --release` at a release)', () => {
    const broken = breakingChanges(committed('openapi.released.json'), committed('openapi.json'));
    expect(broken.filter((one) => !LOOKED_AT.includes(one))).toEqual([]);
  });
});

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

/** A document of one route with the given request, response and parameters. */
function aDocument(
  change: { request?: Schema; response?: Schema; parameters?: { name: string; required?: boolean }[] } = {},
): OpenApiDocument {
  const request = change.request ?? {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, kind: { type: 'string', enum: ['a', 'b'] } },
  };
  const response = change.response ?? { $ref: '#/components/schemas/Thing' };
  const operation = {
    parameters: change.parameters ?? [{ name: 'limit' }],
    requestBody: json(request),
    responses: { '200': json(response) },
  };
  const thing: Schema = {
    type: 'object',
    required: ['id', 'parts'],
    properties: {
      id: { type: 'string' },
      at: { type: ['string', 'null'] },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    },
  };
  return {
    paths: { '/things': { post: operation } },
    components: { schemas: { Thing: thing }, responses: {} },
  };
}

const thingWith = (properties: Record<string, Schema>, required = ['id', 'parts']): Schema => ({
  type: 'object',
  required,
  properties,
});
const parts: Schema = { type: 'array', items: { $ref: '#/components/schemas/Thing' } };
const [id, at]: Schema[] = [{ type: 'string' }, { type: ['string', 'null'] }];
const requestWith = (properties: Record<string, Schema>, required = ['name']) => ({
  request: { type: 'object', required, properties },
});
const kind = { type: 'string', enum: ['a', 'b'] };

describe('a change is compatible', () => {
  it.each<[string, OpenApiDocument]>([
    ['that changes nothing', aDocument()],
    [
      'that adds a field to a response',
      aDocument({ response: thingWith({ id: id!, at: at!, parts, more: id! }, ['id', 'parts', 'more']) }),
    ],
    ['that adds an optional field to a request', aDocument(requestWith({ name: id!, kind, more: id! }))],
    [
      'that accepts another value',
      aDocument(requestWith({ name: id!, kind: { type: 'string', enum: ['a', 'b', 'c'] } })),
    ],
    ['that also accepts null', aDocument(requestWith({ name: { type: ['string', 'null'] }, kind }))],
    ['that adds an optional parameter', aDocument({ parameters: [{ name: 'limit' }, { name: 'more' }] })],
  ])('%s', (_, after) => {
    expect(breakingChanges(aDocument(), after)).toEqual([]);
  });
});

describe('a change breaks clients', () => {
  it.each<[string, OpenApiDocument]>([
    ['that removes a route', { paths: {}, components: { schemas: {}, responses: {} } }],
    ['that removes a field from a response', aDocument({ response: thingWith({ id: id!, parts }) })],
    [
      'that makes a field of a response optional',
      aDocument({ response: thingWith({ id: id!, at: at!, parts }, ['id']) }),
    ],
    ['that returns null for the first time', aDocument({ response: thingWith({ id: at!, at: at!, parts }) })],
    [
      'that returns another type',
      aDocument({ response: thingWith({ id: { type: 'integer' }, at: at!, parts }) }),
    ],
    [
      'that no longer returns a list',
      aDocument({ response: thingWith({ id: id!, at: at!, parts: { type: 'array' } }) }),
    ],
    ['that requires another field', aDocument(requestWith({ name: id!, kind }, ['name', 'kind']))],
    ['that no longer accepts a field', aDocument(requestWith({ name: id! }))],
    [
      'that no longer accepts a value',
      aDocument(requestWith({ name: id!, kind: { type: 'string', enum: ['a'] } })),
    ],
    ['that requires a parameter', aDocument({ parameters: [{ name: 'limit', required: true }] })],
    ['that no longer accepts a parameter', aDocument({ parameters: [] })],
  ])('%s', (_, after) => {
    expect(breakingChanges(aDocument(), after).length).toBeGreaterThan(0);
  });
});
