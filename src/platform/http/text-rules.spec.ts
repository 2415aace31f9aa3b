import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import 'reflect-metadata';
import { codePointsIn, IsText, textError } from './text-and-instant-rules.js';

class Note {
  @IsText({ min: 1, max: 5, unit: 'codePoints', trim: true })
  title: unknown = 'title';

  @IsText({ min: 0, max: 6, unit: 'bytes' })
  body: unknown = '';

  @IsText({ min: 1, max: 5, unit: 'codePoints', trim: true, oneLine: true })
  name: unknown = 'name';

  @IsText({ min: 1, max: 2, unit: 'codePoints' }, { each: true })
  tags: unknown = [];
}

const read = (given: object) => plainToInstance(Note, given);
const faults = (given: object) =>
  validateSync(read(given)).flatMap(({ property, constraints }) => `${property} ${constraints?.['isText']}`);

describe('textFault', () => {
  it('finds NUL and unpaired surrogates, and nothing in any other text', () => {
    expect(textError('a\0b')).toMatch(/NUL/);
    for (const half of ['\ud800', 'a\udc00', '\udc00\ud800']) expect(textError(half)).toMatch(/surrogate/);
    for (const text of ['', 'line\n\ttab\u0001', '😀 ‮ \ufeff', '\u{10ffff}'])
      expect(textError(text)).toBeNull();
  });
});

describe('codePointsIn', () => {
  it('counts a surrogate pair as one', () => {
    expect(codePointsIn('a😀b')).toBe(3);
  });
});

describe('IsText', () => {
  it('accepts what is as long as it may be, in code points or in bytes', () => {
    expect(faults({ title: '😀😀😀😀😀', body: 'äöü', tags: ['a', '😀😀'] })).toEqual([]);
    expect(faults({ title: 'a', body: '' })).toEqual([]);
  });

  it('refuses what is longer', () => {
    expect(faults({ title: '😀😀😀😀😀😀' })).toEqual(['title must have at most 5 characters']);
    expect(faults({ body: 'äöüx' })).toEqual(['body must have at most 6 bytes of UTF-8']);
    expect(faults({ tags: ['a', 'abc'] })).toHaveLength(1);
  });

  it('trims before it counts, only where it is asked to', () => {
    expect(read({ title: ' \t title\u00a0\n', body: ' b ' })).toMatchObject({ title: 'title', body: ' b ' });
    expect(faults({ title: '   title   ' })).toEqual([]);
    expect(faults({ title: '   ' })).toEqual(['title must not be empty']);
    expect(faults({ body: '       ' })).toEqual(['body must have at most 6 bytes of UTF-8']);
  });

  it.each([[5], [null], [['a']], [{}], [true], [undefined]])('refuses %p, which is no text', (value) => {
    expect(faults({ title: value, name: value })).toEqual(['title must be text', 'name must be text']);
  });

  it('rejects control characters only where the text stands within a line', () => {
    expect(faults({ title: 'a\nb', name: ' a\u0007b' })).toEqual([
      'name must not contain control characters, such as a line break',
    ]);
    expect(faults({ name: 'ab\n' })).toEqual([]);
  });

  it('rejects NUL and unpaired surrogates', () => {
    expect(faults({ title: 'a\0' })).toEqual(['title must not contain a NUL character']);
    expect(faults({ body: '\ud83d' })).toEqual(['body must be Unicode without unpaired surrogates']);
  });

  it('reports the minimum length when it is more than one', () => {
    class Password {
      @IsText({ min: 12, max: 1000, unit: 'codePoints' })
      value = 'short';
    }
    expect(validateSync(new Password())[0]?.constraints).toEqual({
      isText: 'must have at least 12 characters',
    });
  });
});
