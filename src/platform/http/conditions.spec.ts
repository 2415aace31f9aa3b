import { describe, expect, it } from '@jest/globals';
import { etagOf, fitsIfMatch, parseIfMatch } from './if-match-and-lease-token.js';
import { ValidationFailed } from './problem.js';

describe('If-Match', () => {
  it.each([
    ['"7"', true],
    [' "7" ', true],
    ['"6", "7"', true],
    ['"6","8",,"7"', true],
    ['W/"6", "7"', true],
    ['*', true],
    ['"6"', false],
    ['"77"', false],
    ['W/"7"', false],
    ['"a,b", "c"', false],
    ['""', false],
  ])('%s fits version 7: %s', (header, fits) => {
    expect(fitsIfMatch(parseIfMatch(header), 7)).toBe(fits);
  });

  it('reads back the tag that an answer sent', () => {
    expect(parseIfMatch(etagOf(12))).toEqual(['"12"']);
  });

  it('keeps a comma within a tag', () => {
    expect(parseIfMatch('"a,b","c"')).toEqual(['"a,b"', '"c"']);
  });

  it.each(['', ' ', '7', '"7', '7"', "'7'", '"6" 7', '*, "7"', 'w/"7"', '"7";'])(
    'is refused as %j',
    (header) => {
      expect(() => parseIfMatch(header)).toThrow(ValidationFailed);
    },
  );
});
