import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { scanJson } from './request-body.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('scanJson', () => {
  it('passes any ordinary JSON', () => {
    for (const text of ['', '{}', ' [1, "a", null] ', '"just text"', '{"a":{"b":[{"c":"}]{["}]}}'])
      expect(scanJson(text)).toBeNull();
    // fast-check likes to make these two keys of all.
    const ordinary = fc
      .json({ maxDepth: 5, stringUnit: 'binary' })
      .filter((text) => !/__proto__|constructor/.test(text));
    fc.assert(
      fc.property(ordinary, (text) => {
        expect(scanJson(text)).toBeNull();
      }),
    );
  });

  it('refuses what is more than 32 levels deep, however deep', () => {
    expect(scanJson(nested(32))).toBeNull();
    expect(scanJson(`${nested(32)},${nested(32)}`)).toBeNull();
    for (const depth of [33, 5_000, 100_000]) expect(scanJson(nested(depth))?.message).toMatch(/32 levels/);
    expect(scanJson('{"a":'.repeat(33))?.message).toMatch(/32 levels/);
  });

  it('refuses more than 100,000 fields and items, wherever they are', () => {
    const items = (count: number) => Array.from({ length: count }, () => '{"a":1}').join(',');
    expect(scanJson(`{"b":[${items(100_000)}]}`)).toBeNull();
    expect(scanJson(`{"b":[${items(60_000)}],"c":[${items(40_000)}]}`)).toBeNull();
    expect(scanJson(`{"b":[${items(60_000)}],"c":[${items(40_001)}]}`)).toEqual({
      path: '',
      message: 'must not have more than 100000 fields and items',
    });
    expect(scanJson(`{"text":"${','.repeat(200_000)}"}`)).toBeNull();
  });

  it('counts no brackets inside strings, escaped quotes and all', () => {
    expect(scanJson(JSON.stringify({ text: `"\\${'['.repeat(100)}` }))).toBeNull();
    expect(scanJson(`["\\\\",${nested(40)}]`)).not.toBeNull();
    expect(scanJson(`{"a\\\\":${nested(31)},"b":"\\"${'{'.repeat(40)}"}`)).toBeNull();
  });

  it.each([
    ['{"__proto__":{}}', '__proto__'],
    ['{"constructor" \n:1}', 'constructor'],
    ['{"entries":[{},{"a":{"__proto__":1}}]}', 'entries[1].a.__proto__'],
    ['[[1,2],[{"x":1},{"constructor":{}}]]', '[1][1].constructor'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"\\u0063onstructo\\u0072":1}', 'constructor'],
    ['{"a":1,"a":2,"b":{"c":[]},"__proto__":null}', '__proto__'],
  ])('refuses %s and says where', (text, path) => {
    expect(scanJson(text)).toEqual({ path, message: 'is a key that is not accepted' });
  });

  it('takes those words as values, and as parts of keys', () => {
    expect(scanJson('{"a":"__proto__","b":["constructor"],"constructors":1,"my__proto__":2}')).toBeNull();
  });

  it('survives text that is no JSON', () => {
    for (const text of [
      '"',
      '"\\',
      ']]}}',
      '{"a',
      '{:"b":}',
      '{"\\u00zz":1}',
      ',,,',
      '{"a":"b"',
      '"constructor":1',
    ])
      expect(scanJson(text)).toBeNull();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0 ') }), (text) => {
        scanJson(text);
      }),
    );
  });
});
