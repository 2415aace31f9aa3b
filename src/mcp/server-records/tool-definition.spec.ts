import { describe, expect, it } from '@jest/globals';
import { ExactNumber } from '../../platform/json/exact-json.js';
import { WarningList } from './definition-rules-and-warnings.js';
import { listingOf } from './tool-definition.js';

const tool = { name: 'echo', inputSchema: { type: 'object' } };

/** Returns the definitions that agents get, why the others are invalid, and the warnings by subject. */
async function listing(...entries: unknown[]) {
  const warnings = new WarningList();
  const tools = await listingOf(entries, warnings);
  return {
    given: tools.filter(({ invalid }) => invalid === null).map(({ definition }) => definition),
    invalid: Object.fromEntries(
      tools.flatMap(({ definition, invalid }) => (invalid === null ? [] : [[definition.name, invalid]])),
    ),
    warnings: warnings.all().map(({ subject, message }) => `${subject}: ${message}`),
  };
}

/** Properties that all refer to one large object, which is also the anchor `all`. */
function manyReferencesTo($ref: string) {
  const large = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, { minLength: 1 }]));
  const properties = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`p${at}`, { $ref }]));
  return { definitions: { all: { $anchor: 'all', properties: large } }, properties };
}

const patterns = (count: number): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`^x${at}`, {}]));

describe('a listing', () => {
  it('keeps the members of a tool in the order of the server, and those that MCP does not have', async () => {
    const listed = {
      annotations: { readOnlyHint: true, title: 'T' },
      _meta: { 'x/y': null },
      inputSchema: { properties: { zz: {}, a: {} }, type: 'object' },
      tags: ['own'],
      icons: [{ src: 'data:,' }],
      execution: { taskSupport: 'forbidden' },
      name: 'echo',
    };
    const { given, warnings } = await listing(listed);
    expect(JSON.stringify(given)).toBe(JSON.stringify([listed]));
    expect(warnings).toEqual([]);
  });

  it('keeps the first of two tools with the same name and says so', async () => {
    const { given, warnings } = await listing(tool, { ...tool, title: 'Second' });
    expect(given).toEqual([tool]);
    expect(warnings).toEqual([
      'echo: The name is listed more than once; the first tool of that name counts.',
    ]);
  });

  it('says nothing of a tool that came twice in the same words, as pages do that a server repeats', async () => {
    const { given, warnings } = await listing(tool, { ...tool });
    expect(given).toEqual([tool]);
    expect(warnings).toEqual([]);
  });

  it('withholds one with a number that no client can read, in its arguments or its results', async () => {
    const beyond = (name: string) => ({
      type: 'object',
      properties: { [name]: { maximum: new ExactNumber('1e400') } },
    });
    const { given, warnings } = await listing(
      { ...tool, inputSchema: beyond('a') },
      { ...tool, name: 'other', outputSchema: beyond('b') },
    );
    expect(given.map(({ name }) => name)).toEqual(['other']);
    expect(warnings).toEqual([
      'echo: The tool is withheld from agents, because inputSchema has the number 1e400, which clients cannot read.',
      'other: The definition of the tool was repaired: outputSchema was left out, because outputSchema has the number 1e400, which clients cannot read.',
    ]);
  });

  it('skips and names what is no tool', async () => {
    const long = 'é'.repeat(513);
    const { given, invalid, warnings } = await listing(
      null,
      'echo',
      [],
      { inputSchema: { type: 'object' } },
      { ...tool, name: '' },
      { ...tool, name: 5 },
      { ...tool, name: long },
      { ...tool, name: 'nul\0' },
      { ...tool, name: '\ud800' },
      tool,
      { ...tool, name: 'é'.repeat(512) },
    );
    expect(given.map(({ name }) => name)).toEqual(['echo', 'é'.repeat(512)]);
    expect(invalid).toEqual({});
    expect(warnings.map((warning) => warning.slice(0, 23))).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((at) => `tools[${at}]: The entry was`),
      'é'.repeat(23),
      'nul\ufffd: The tool was skip',
      '\ufffd: The tool was skipped',
    ]);
  });

  it.each([
    [
      'null members',
      { title: null, description: null, outputSchema: null, annotations: null, _meta: null },
      {},
    ],
    [
      'null hints',
      { annotations: { title: null, readOnlyHint: true } },
      { annotations: { readOnlyHint: true } },
    ],
    ['null in icons', { icons: [{ src: 'a', theme: null }] }, { icons: [{ src: 'a' }] }],
    ['null keywords', { inputSchema: { type: 'object', required: null, properties: null } }, {}],
    [
      'null keywords at any depth',
      {
        inputSchema: {
          type: 'object',
          properties: { x: { description: null, items: { enum: null } }, y: null },
        },
      },
      { inputSchema: { type: 'object', properties: { x: { items: { enum: null } }, y: {} } } },
    ],
    [
      'nulls that are data',
      {
        inputSchema: {
          type: 'object',
          default: null,
          properties: { x: { const: null, default: { a: null } } },
        },
      },
      {
        inputSchema: {
          type: 'object',
          default: null,
          properties: { x: { const: null, default: { a: null } } },
        },
      },
    ],
  ])('takes %s as the protocol means them, without a warning', async (_, fields, expected) => {
    const { given, warnings } = await listing({ ...tool, ...fields });
    expect(given).toEqual([{ ...tool, ...expected }]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['no schema', { inputSchema: undefined }, {}, /^An inputSchema for any object was added/],
    ['an empty list', { inputSchema: [] }, {}, /^inputSchema\.type was set/],
    [
      'a root without a type',
      { inputSchema: { $ref: '#/$defs/A', $defs: { A: {} } } },
      { inputSchema: { type: 'object', $ref: '#/$defs/A', $defs: { A: {} } } },
      /^inputSchema\.type was set/,
    ],
    ['a list of types', { inputSchema: { type: ['object', 'null'] } }, {}, /^inputSchema\.type was set/],
    [
      'boolean properties',
      { inputSchema: { type: 'object', properties: { x: true, y: false } } },
      { inputSchema: { type: 'object', properties: { x: {}, y: { not: {} } } } },
      /^inputSchema\.properties\.x was written as an object/,
    ],
    [
      'required as a flag',
      { inputSchema: { type: 'object', required: true } },
      {},
      /^inputSchema\.required was/,
    ],
    [
      'an output schema without a type',
      { outputSchema: { description: 'x' } },
      { outputSchema: { type: 'object', description: 'x' } },
      /^outputSchema\.type was set/,
    ],
    ['an output schema of a list', { outputSchema: { type: 'array' } }, {}, /^outputSchema was left out/],
    ['an output schema that is not one', { outputSchema: 'x' }, {}, /^outputSchema was left out/],
    ...[
      { properties: { x: { $ref: '#/nowhere' } } },
      { properties: { x: { pattern: '(?<=a)[' } } },
      { properties: { x: { exclusiveMinimum: true } } },
      { properties: { x: { type: 'file' } } },
      { $id: 'https://example.com/a' },
      { description: 'x'.repeat(65_536) },
      { properties: { x: { patternProperties: patterns(101) } } },
      // Compiled, each is more than the memory of a process.
      ...['#/definitions/all', '#/definitions/%61ll', '#all'].map((reference) => manyReferencesTo(reference)),
    ].map(
      (schema) =>
        [
          'an output schema that does not compile',
          { outputSchema: { type: 'object', ...schema } },
          {},
          /^outputSchema was left out, because it/,
        ] as const,
    ),
    ['icons of another form', { icons: 'x.png' }, {}, /^icons was left out, because icons must be a list/],
    ['an unknown task support', { execution: { taskSupport: 'sometimes' } }, {}, /^execution was left out/],
    ['a _meta that is a text', { _meta: 'x' }, {}, /^_meta was left out/],
  ] as const)('repairs %s and says so', async (_, fields, expected, warning) => {
    const { given, warnings } = await listing({ ...tool, ...fields });
    expect(given).toEqual([{ ...tool, ...expected }]);
    expect(warnings[0]!.replace(/^echo: The definition of the tool was repaired: /, '')).toMatch(warning);
  });

  it.each([
    [{ description: 5 }, 'description must be text'],
    [{ title: {} }, 'title must be text'],
    [{ inputSchema: 'x' }, 'inputSchema must be an object'],
    [{ inputSchema: { type: 'string' } }, 'inputSchema.type must be "object"'],
    [{ inputSchema: { type: 'object', required: [1] } }, 'inputSchema.required must be a list of names'],
    [{ inputSchema: { type: 'object', properties: ['x'] } }, 'inputSchema.properties must be an object'],
    [{ inputSchema: { type: 'object', properties: { x: 5 } } }, 'inputSchema.properties.x must be an object'],
    [{ annotations: { readOnlyHint: 'true' } }, 'annotations.readOnlyHint must be true or false'],
    [{ annotations: 'x' }, 'annotations must be an object'],
    [
      { execution: { taskSupport: 'required' } },
      'it can be called as a task only, which the service does not do',
    ],
    [{ description: '\ud800' }, 'it has characters that cannot be stored (NUL or a lone surrogate)'],
    [
      { inputSchema: { type: 'object', ['\ud800']: 1 } },
      'it has characters that cannot be stored (NUL or a lone surrogate)',
    ],
  ])('withholds a tool with %j alone, with the reason', async (fields, reason) => {
    const { given, invalid, warnings } = await listing({ ...tool, ...fields }, { ...tool, name: 'good' });
    expect(given).toEqual([{ ...tool, name: 'good' }]);
    expect(invalid).toEqual({ echo: reason });
    expect(warnings).toEqual([`echo: The tool is withheld from agents, because ${reason}.`]);
  });

  it('keeps an output schema with as many patterns of names as it may have', async () => {
    const listed = { ...tool, outputSchema: { type: 'object', patternProperties: patterns(100) } };
    expect(await listing(listed)).toMatchObject({ given: [listed], warnings: [] });
  });

  it('warns of combinators at the root of an input schema and keeps them', async () => {
    const listed = { ...tool, inputSchema: { type: 'object', anyOf: [{}], allOf: [{}] } };
    const { given, warnings } = await listing(listed);
    expect(given).toEqual([listed]);
    expect(warnings).toEqual([
      expect.stringMatching(/^echo: inputSchema has anyOf, allOf at its root\. Model APIs/),
    ]);
  });

  it('counts warnings beyond the first hundred', async () => {
    const { warnings } = await listing(...Array.from({ length: 250 }, () => null));
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe('…: There are 150 further warnings.');
  });

  it('shows invisible text as escapes wherever a model reads a description', async () => {
    const hidden = 'Reads docs.\u{e0073}\u202e';
    const property = { type: 'string', description: hidden };
    const { given } = await listing({
      ...tool,
      title: hidden,
      description: hidden,
      inputSchema: { type: 'object', properties: { x: property } },
      _meta: { description: hidden },
    });
    const shown = 'Reads docs.\\u{e0073}\\u{202e}';
    expect(given).toEqual([
      {
        ...tool,
        title: shown,
        description: shown,
        inputSchema: { type: 'object', properties: { x: { type: 'string', description: shown } } },
        _meta: { description: hidden },
      },
    ]);
  });
});
