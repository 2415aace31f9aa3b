import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { anonymous } from '../../support/callers.js';
import type { OpenApiDocument, Operation, Response, Schema } from '../../support/openapi-paths.js';
import { useService } from '../../support/service.js';

const ROOT = join(import.meta.dirname, '../../..');
const service = useService();
const served = async () => (await anonymous(service).get<OpenApiDocument>('/api/openapi.json')).body;

async function operations(): Promise<[string, Operation & Record<string, unknown>][]> {
  return Object.entries((await served()).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation & Record<string, unknown>] => [
      `${method.toUpperCase()} ${path}`,
      operation as Operation & Record<string, unknown>,
    ]),
  );
}

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

function examplesOf(media: Media): unknown[] {
  if ('example' in media) return [media.example];
  return Object.values(media.examples ?? {}).map(({ value }) => value);
}

interface JsonBody {
  /** The words that lead to the body in the document. */
  place: string[];
  media: Media;
}

/** Returns the bodies of requests, of responses, and of the responses that several operations share. */
function jsonBodiesOf({ paths, components }: OpenApiDocument): JsonBody[] {
  const inOperations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => [
      ...jsonIn(['paths', path, method, 'requestBody'], requestBody),
      ...responsesIn(['paths', path, method, 'responses'], responses),
    ]),
  );
  return [...inOperations, ...responsesIn(['components', 'responses'], components.responses)];
}

const responsesIn = (place: string[], responses: Record<string, Response>): JsonBody[] =>
  Object.entries(responses).flatMap(([name, response]) => jsonIn([...place, name], response));

const jsonIn = (place: string[], part: Pick<Response, 'content'> = {}): JsonBody[] =>
  Object.entries(part.content ?? {})
    .filter(([type]) => /json$/.test(type))
    .map(([type, media]) => ({ place: [...place, 'content', type], media: media as Media }));

const asPointerWord = (word: string) => encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Returns the places where a schema says only 'object', as the compiler plugin does for a type that it cannot read. */
function bareObjectsIn(schema: unknown, place: string): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const parts = Object.entries(schema).filter(([name]) => !['example', 'default', 'enum'].includes(name));
  const isBare =
    [(schema as Schema)['type']].flat().includes('object') &&
    !('properties' in schema || 'additionalProperties' in schema);
  return [
    ...(isBare ? [place] : []),
    ...parts.flatMap(([name, part]) => bareObjectsIn(part, `${place}.${name}`)),
  ];
}

describe('the OpenAPI document', () => {
  it('is the committed one, which CI compares with the code', async () => {
    expect(await served()).toEqual(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));
  });

  it('is OpenAPI 3.1, and says so', async () => {
    expect(await served()).toMatchObject({ openapi: '3.1.0' });
  });

  it('shows an example of each body, in requests and responses', async () => {
    const bodies = (await operations()).flatMap(([name, { requestBody, responses }]) =>
      [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
        .flatMap((content) => Object.entries(content ?? {}))
        .filter(([media]) => media === 'application/json')
        .map(([, media]) => ({ name, examples: examplesOf(media as Media) })),
    );
    expect(bodies.length).toBeGreaterThan(50);
    expect(bodies.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  });

  it('shows only examples that its own schemas allow, also for errors', async () => {
    const document = await served();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(document, 'api', undefined, false);
    const faults: string[] = [];
    for (const { place, media } of jsonBodiesOf(document)) {
      // By its place in the document: a copy of the schema would be compiled again with all that it refers to.
      const fits = ajv.compile({ $ref: `api#/${place.map(asPointerWord).join('/')}/schema` });
      const examples = examplesOf(media);
      expect({ place, examples: examples.length > 0 }).toEqual({ place, examples: true });
      faults.push(
        ...examples
          .filter((one) => !fits(one))
          .map(() => `${place.join(' ')}: ${ajv.errorsText(fits.errors)}`),
      );
    }
    expect(faults).toEqual([]);
  });

  it('has an example of each parameter of a path', async () => {
    for (const [name, { parameters = [] }] of await operations())
      for (const parameter of parameters as { in?: string; example?: unknown }[])
        if (parameter.in === 'path') expect({ name, ...parameter }).toHaveProperty('example');
  });

  it('has an example for each required field of a request', async () => {
    // As a value: a field may have this name.
    const placeholder = /"text"(?!:)/;
    const bodies = (await operations()).map(([name, { requestBody }]) => ({
      name,
      shown: JSON.stringify(requestBody ?? {}),
    }));
    expect(bodies.filter(({ shown }) => placeholder.test(shown)).map(({ name }) => name)).toEqual([]);
  });

  it('names the fields of each object, or says that it accepts any', async () => {
    const { schemas } = (await served()).components;
    expect(Object.entries(schemas).flatMap(([name, schema]) => bareObjectsIn(schema, name))).toEqual([]);
  });

  it('documents for each operation who may call it, what it does, and its errors', async () => {
    for (const [name, operation] of await operations()) {
      expect({ name, summary: operation['summary'] }).toEqual({
        name,
        summary: expect.stringMatching(/\.$/),
      });
      expect(operation['security']).toBeDefined();
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '500', '503']));
      expect(Object.keys(operation).filter((key) => key.startsWith('x-'))).toEqual([]);
    }
  });
});

describe('Swagger UI', () => {
  it('is served to everyone', async () => {
    const answer = await anonymous(service).get('/api/docs');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^text\/html/) },
    });
    expect(answer.text).toContain('swagger-ui');
  });
});
