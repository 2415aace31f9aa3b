import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './support/breaking-changes.js';
import type { OpenApiDocument, Schema } from './support/openapi-paths.js';

const committed = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')) as OpenApiDocument;

describe('the committed OpenAPI document', () => {
  it('breaks no client of the released one: changes are additions (`npm run openapi -- --release` at a release)', () => {
    expect(breakingChanges(committed('openapi.released.json'), committed('openapi.json'))).toEqual([]);
  });
});

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

/** A document of one route whose request, answer and parameters are the ones given. */
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

describe('a change is fine', () => {
  it.each<[string, OpenApiDocument]>([
    ['that changes nothing', aDocument()],
    [
      'that adds a field to an answer',
      aDocument({ response: thingWith({ id: id!, at: at!, parts, more: id! }, ['id', 'parts', 'more']) }),
    ],
    ['that adds an optional field to a request', aDocument(requestWith({ name: id!, kind, more: id! }))],
    [
      'that takes another value',
      aDocument(requestWith({ name: id!, kind: { type: 'string', enum: ['a', 'b', 'c'] } })),
    ],
    ['that takes null, too', aDocument(requestWith({ name: { type: ['string', 'null'] }, kind }))],
    ['that adds an optional parameter', aDocument({ parameters: [{ name: 'limit' }, { name: 'more' }] })],
  ])('%s', (_, after) => {
    expect(breakingChanges(aDocument(), after)).toEqual([]);
  });
});

describe('a change breaks clients', () => {
  it.each<[string, OpenApiDocument]>([
    ['that takes a route away', { paths: {}, components: { schemas: {}, responses: {} } }],
    ['that takes a field out of an answer', aDocument({ response: thingWith({ id: id!, parts }) })],
    [
      'that may leave a field out of an answer',
      aDocument({ response: thingWith({ id: id!, at: at!, parts }, ['id']) }),
    ],
    ['that answers null where it never did', aDocument({ response: thingWith({ id: at!, at: at!, parts }) })],
    [
      'that answers another type',
      aDocument({ response: thingWith({ id: { type: 'integer' }, at: at!, parts }) }),
    ],
    [
      'that answers a list no more',
      aDocument({ response: thingWith({ id: id!, at: at!, parts: { type: 'array' } }) }),
    ],
    ['that needs another field', aDocument(requestWith({ name: id!, kind }, ['name', 'kind']))],
    ['that takes a field no more', aDocument(requestWith({ name: id! }))],
    [
      'that takes a value no more',
      aDocument(requestWith({ name: id!, kind: { type: 'string', enum: ['a'] } })),
    ],
    ['that needs a parameter', aDocument({ parameters: [{ name: 'limit', required: true }] })],
    ['that takes a parameter no more', aDocument({ parameters: [] })],
  ])('%s', (_, after) => {
    expect(breakingChanges(aDocument(), after).length).toBeGreaterThan(0);
  });
});
