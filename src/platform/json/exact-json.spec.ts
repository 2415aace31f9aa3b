import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ExactNumber,
  isInexact,
  jsonText,
  markedText,
  parseJson,
  withMarks,
  withNumbers,
  withoutMarks,
} from './exact-json.js';

const CASES = 2_000;

const INEXACT = [
  ...['1234567890123456789', '9007199254740993', '-9007199254740993', '720575940379279360'],
  ...['9223372036854775807', '18446744073709551615', '0.1234567890123456789', '-0', '-0.0', '-0e5'],
  ...[
    '1e400',
    '-1E+400',
    '1e-400',
    '1e99999999999999999999',
    '123456789.123456789012',
    `0.${'0'.repeat(400)}1`,
  ],
];
const EXACT = [
  ...['0', '1', '-1', '1.0', '1.10', '10.00', '0.1', '1e5', '1E5', '1e-7', '1e21', '100000000000000000000'],
  ...['9007199254740992', '0.30000000000000004', '123456789012345.6', '1.7976931348623157e308', '5e-324'],
];

/** JSON as text, with numbers of any form, and texts that look like them. */
const digitsOf = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`));
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,30}$/)),
    fc.oneof(
      fc.constant(''),
      digitsOf(30).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(fc.constant(''), fc.constantFrom('e5', 'E+400', 'e-400', 'e0', 'E-7')),
  )
  .map((parts) => parts.join(''));
const { json: anyJson } = fc.letrec<{ json: string }>((tie) => {
  const string = fc
    .oneof(
      fc.string(),
      number,
      number.map((digits) => `: ${digits},`),
      fc.string({ unit: 'binary' }),
    )
    .map((text) => JSON.stringify(text));
  const items = fc.array(tie('json'), { maxLength: 4 });
  return {
    json: fc.oneof(
      { depthSize: 'small' },
      number,
      string,
      fc.constantFrom('true', 'false', 'null'),
      items.map((all) => `[${all.join(',')}]`),
      fc
        .array(fc.tuple(fc.string(), tie('json')), { maxLength: 4 })
        .map((members) => members.map(([name, value], at) => `${JSON.stringify(`x${at}${name}`)}:${value}`))
        .map((members) => `{${members.join(',')}}`),
    ),
  };
});

/** Returns the JSON in which a number that JavaScript can hold is written as JavaScript does. */
const asWritten = (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') || isInexact(token) ? token : JSON.stringify(Number(token)),
  );

describe('a number of JSON', () => {
  it.each(INEXACT)('that JavaScript changes keeps its digits: %s', (text) => {
    for (const json of [text, ` ${text} `, `[${text}]`, `{"a":${text}}`, `{"a": [1,\n${text}\n]}`]) {
      expect(jsonText(parseJson(json))).toBe(json.replaceAll(/\s/g, ''));
      expect(JSON.stringify(parseJson(json))).toBe(JSON.stringify(JSON.parse(json)));
    }
  });

  it.each(EXACT)('that JavaScript can hold stays a number of JavaScript: %s', (text) => {
    expect(parseJson(`[${text}]`)).toEqual([Number(text)]);
  });

  it.each([
    ['zeros between two digits', `1${'0'.repeat(2_000_000)}1`],
    ['digits of an exponent', `1e${'9'.repeat(2_000_000)}`],
  ])('of 2 million %s is read in one pass', (_, text) => {
    expect(jsonText(parseJson(`{"a":${text}}`))).toBe(`{"a":${text}}`);
  });

  it('that JavaScript can hold stays one however long it is written', () => {
    const zeros = '0'.repeat(1_000);
    expect(parseJson(`[1.5${zeros}, 1e+${zeros}5, 1${zeros}e-1000, 0.${zeros}1e1001]`)).toEqual([
      1.5, 1e5, 1, 1,
    ]);
    expect(parseJson(`[0.${zeros}, 0e-${zeros}9]`)).toEqual([0, 0]);
  });

  it('is found where it stands, and left alone in texts', () => {
    const json = '{"a\\"1234567890123456789":"[1234567890123456789, \\\\\\"","b":[-0,1e400],"c":"1e400"}';
    expect(jsonText(parseJson(json))).toBe(json);
    expect((parseJson(json) as { b: unknown[] }).b).toEqual([
      new ExactNumber('-0'),
      new ExactNumber('1e400'),
    ]);
  });

  it.each([
    '01234567890123456789',
    '{1234567890123456789:1}',
    '[1234567890123456789.]',
    '[1234567890123456789e]',
    '[1234567890123456789 1]',
    '[1234567890123456789abc]',
    '["1234567890123456789]',
  ])('does not make valid what is no JSON: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('JSON', () => {
  it('keeps its text in both directions, whatever numbers it has', () => {
    fc.assert(
      fc.property(anyJson, (text) => {
        expect(jsonText(parseJson(text))).toBe(asWritten(text));
      }),
      { numRuns: CASES },
    );
  });

  it('keeps its text through foreign code, which sees strings for the numbers that it would change', () => {
    fc.assert(
      fc.property(anyJson, (text) => {
        const value = parseJson(text);
        const foreign = JSON.parse(JSON.stringify(withMarks(value))) as unknown;
        expect(jsonText(withNumbers(foreign))).toBe(jsonText(value));
        expect(withoutMarks(JSON.stringify(withMarks(value)))).toBe(jsonText(value));
        expect(jsonText(withNumbers(JSON.parse(markedText(text))))).toBe(jsonText(value));
      }),
      { numRuns: CASES },
    );
  });

  it('is the same object where it has no such number', () => {
    const value = parseJson('{"a":[1,{"b":"1234567890123456789"}]}');
    expect(withMarks(value)).toBe(value);
    expect(withNumbers(value)).toBe(value);
    expect(markedText('{"a":1.5}')).toBe('{"a":1.5}');
  });

  it('keeps no mark where foreign code repeats a number in a sentence', () => {
    const [marked] = withMarks([new ExactNumber('1234567890123456789')]);
    const message = `no "${String(marked)}" here, nor ${String(marked)}`;
    const plain = 'no "1234567890123456789" here, nor 1234567890123456789';
    expect(withoutMarks(JSON.stringify({ message }))).toBe(JSON.stringify({ message: plain }));
  });

  it('of another process cannot have a mark', () => {
    expect(withNumbers(['exact-number:00:1'])).toEqual(['exact-number:00:1']);
  });
});
