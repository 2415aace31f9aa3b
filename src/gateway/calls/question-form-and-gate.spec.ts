import { describe, expect, it } from '@jest/globals';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { ExactNumber } from '../../platform/json/exact-json.js';
import {
  declinedRetryOf,
  inputRequestsOf,
  oneFormOf,
  QuestionDeclined,
  questionFormOf,
} from './question-form-and-gate.js';

const asked = (properties: object, more: object = {}) => ({
  message: 'Which one?',
  requestedSchema: { type: 'object', properties, ...more },
});
const schemaOf = (properties: object, more: object = {}) => questionFormOf(asked(properties, more)).schema;

describe('a form of a server', () => {
  it('keeps all that MCP lets a form have', () => {
    const properties = {
      name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 9, default: 'a' },
      mail: { type: 'string', format: 'email' },
      day: { type: 'string', format: 'date', minLength: 10, maxLength: 10 },
      whole: { type: 'integer', minimum: 1.2, maximum: 2 },
      share: { type: 'number', minimum: 0.5, maximum: 1 },
      count: { type: 'integer', default: 3 },
      sure: { type: 'boolean', default: false },
      one: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      many: {
        type: 'array',
        minItems: 1,
        maxItems: 2,
        default: ['a'],
        items: { type: 'string', enum: ['a'] },
      },
      manyTitled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    };
    expect(schemaOf(properties, { required: ['name', 'sure'] })).toEqual({
      type: 'object',
      properties,
      required: ['name', 'sure'],
      additionalProperties: false,
    });
  });

  it('loses other keywords, among them expressions that would run here, and names that it has not', () => {
    const field = { type: 'string', pattern: '(a+)+$', $ref: '#', format: 'regex', minLength: 'x' };
    expect(schemaOf({ a: field }, { required: ['a', 'b'], allOf: [{}] })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('shows invisible characters', () => {
    const form = questionFormOf({
      ...asked({ a: { type: 'string', title: 'x\u200b', description: '\u202ey' } }),
      message: 'now\u2066',
    });
    expect(form).toMatchObject({
      message: 'now\\u{2066}',
      schema: { properties: { a: { title: 'x\\u{200b}', description: '\\u{202e}y' } } },
    });
  });

  it.each(
    Object.entries({
      'in another mode': { ...asked({}), mode: 'url' },
      'without a text': { ...asked({}), message: ' ' },
      'with a long text': { ...asked({}), message: 'x'.repeat(4_001) },
      'of more than 32 KiB': asked({ a: { type: 'string', description: 'x'.repeat(33_000) } }),
      'without a schema': { message: 'a' },
      'with more than one level': asked({ a: { type: 'object', properties: {} } }),
      'with a list of anything': asked({ a: { type: 'array', items: { type: 'string' } } }),
      'with a type of the prototype': asked({ a: { type: 'constructor' } }),
      'with too many fields': asked(
        Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, { type: 'boolean' }])),
      ),
      'with too many choices': asked({ a: { type: 'string', enum: Array.from({ length: 101 }, String) } }),
      'with a choice that cannot be seen': asked({ a: { type: 'string', oneOf: [{ const: 'a\u200b' }] } }),
      'with a choice that is no text': asked({ a: { type: 'string', enum: [1] } }),
      'with a name that cannot be seen': asked({ 'a\u202e': { type: 'string' } }),
      'with a type that every object inherits': asked({ a: { type: 'toString' } }),
      'without a choice': asked({ a: { type: 'string', enum: [] } }),
      'without a titled choice': asked({ a: { type: 'string', oneOf: [] } }),
      'with a list without a choice': asked({ a: { type: 'array', items: { enum: [] } } }),
      'with one choice twice': asked({ a: { type: 'string', enum: ['a', 'b', 'a'] } }),
      'with a titled choice twice': asked({ a: { type: 'string', oneOf: [{ const: 'a' }, { const: 'a' }] } }),
      'with a length below zero': asked({ a: { type: 'string', minLength: -1 } }),
      'with half a character': asked({ a: { type: 'string', maxLength: 1.5 } }),
      'with an infinite length': asked({ a: { type: 'string', minLength: new ExactNumber('1e999') } }),
      'with a number of choices below zero': asked({
        a: { type: 'array', maxItems: -2, items: { enum: ['a'] } },
      }),
      'with a least that is infinite': asked({ a: { type: 'number', minimum: new ExactNumber('1e999') } }),
      'with a least above the greatest': asked({ a: { type: 'number', minimum: 2, maximum: 1 } }),
      'with no whole number between': asked({ a: { type: 'integer', minimum: 1.2, maximum: 1.8 } }),
      'with more characters than there may be': asked({ a: { type: 'string', minLength: 3, maxLength: 2 } }),
      'with a date of nine characters': asked({ a: { type: 'string', format: 'date', maxLength: 9 } }),
      'with a date of eleven characters': asked({ a: { type: 'string', format: 'date', minLength: 11 } }),
      'that asks for a password': asked({ Password: { type: 'string' } }),
      'that asks for a key by its title': asked({ value: { type: 'string', title: 'API key' } }),
    }),
  )('%s is declined', (_, params) => {
    expect(() => questionFormOf(params)).toThrow(QuestionDeclined);
  });
});

it('names a choice by itself where its name is no text, also one that cannot become a text', () => {
  const never = { toString: 1, valueOf: 1 };
  const fields = {
    a: { type: 'string', enum: ['x', 'y', 'z'], enumNames: ['X', never, 7, 'of none'] },
    b: { type: 'string', oneOf: [{ const: 'x', title: never }, { const: 'y' }] },
  };
  expect(schemaOf(fields)).toMatchObject({
    properties: {
      a: { enum: ['x', 'y', 'z'], enumNames: ['X', 'y', 'z'] },
      b: {
        oneOf: [
          { const: 'x', title: 'x' },
          { const: 'y', title: 'y' },
        ],
      },
    },
  });
});

/** What a hostile server may write where a limit, a choice or a format belongs. */
const odd = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(1.5, -0, 1e21, new ExactNumber('1e999'), null, true, 'x', '__proto__', 'date', 'email'),
  fc.array(fc.constantFrom('a', 'b', '', 1, null), { maxLength: 4 }),
  fc.record({ enum: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }) }),
  fc.array(fc.record({ const: fc.constantFrom('a', 'b', 7), title: fc.constantFrom('A', 1) }), {
    maxLength: 3,
  }),
);
const KEYWORD = fc.constantFrom(
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default', 'format'],
  ...['enum', 'enumNames', 'oneOf', 'items', 'pattern', '$ref', 'not'],
);
const FIELD = fc
  .tuple(
    fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'constructor'),
    fc.dictionary(KEYWORD, odd, { maxKeys: 5 }),
  )
  .map(([type, keywords]) => ({ ...keywords, type }));

it('is declined, or can be checked as an answer is checked, whatever a server writes', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true });
  formats.default(ajv);
  let kept = 0;
  fc.assert(
    fc.property(fc.array(FIELD, { maxLength: 3 }), (fields) => {
      let schema: object;
      try {
        schema = schemaOf(Object.fromEntries(fields.map((field, at) => [`f${at}`, field])));
      } catch (error) {
        expect(error).toBeInstanceOf(QuestionDeclined);
        return;
      }
      kept += 1;
      ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
    }),
    { numRuns: 2_000 },
  );
  expect(kept).toBeGreaterThan(200);
});

describe('the questions of a server that needs input', () => {
  const form = { method: 'elicitation/create', params: asked({ a: { type: 'string' } }) };

  it.each([
    ['no object', 5],
    ['a list', [form]],
    ['a question that is null', { a: null }],
    ['a question that is a text', { a: 'x' }],
    ['a question whose method cannot become a text', { a: { ...form, method: { toString: 1, valueOf: 1 } } }],
    ['a key of 501 characters', { ['k'.repeat(501)]: form }],
  ])('are declined where they are %s', (_, inputRequests) => {
    expect(() => inputRequestsOf({ inputRequests })).toThrow(QuestionDeclined);
    expect(declinedRetryOf({ inputRequests })).toHaveProperty('inputResponses');
  });

  it.each(['__proto__', 'constructor', 'a\u202e', 'k'.repeat(65)])(
    'are declined where one form for all would have the field %j',
    (key) => {
      const { forms, requestState } = inputRequestsOf({ inputRequests: { a: form, ...{ [key]: form } } });
      expect(() => oneFormOf({ forms, requestState })).toThrow(QuestionDeclined);
    },
  );

  it('are declined where a field has a name that no body of a request may have', () => {
    for (const name of ['__proto__', 'constructor'])
      expect(() => schemaOf({ [name]: { type: 'string' } })).toThrow(QuestionDeclined);
  });
});
