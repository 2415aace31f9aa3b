import { describe, expect, it } from '@jest/globals';
import { byteRangeOf, RangeNotSatisfiable } from './attachment-download.service.js';

const ETAG = '"abc"';
const of = (range: string, size: number, condition?: string) =>
  byteRangeOf({ range, 'if-range': condition }, size, ETAG);

describe('the range of a request', () => {
  it.each([
    ['bytes=0-0', 10, 0, 0],
    ['bytes=0-', 10, 0, 9],
    ['bytes=9-', 10, 9, 9],
    ['bytes=2-4', 10, 2, 4],
    ['bytes=2-400', 10, 2, 9],
    ['bytes=-1', 10, 9, 9],
    ['bytes=-10', 10, 0, 9],
    ['bytes=-11', 10, 0, 9],
    [`bytes=-${'9'.repeat(400)}`, 10, 0, 9],
    ['BYTES= 1-2 ', 10, 1, 2],
  ])('%s of %i bytes is %i to %i', (range, size, start, end) => {
    expect(of(range, size)).toEqual({ start, end });
    expect(of(range, size, ETAG)).toEqual({ start, end });
    expect(of(range, size, '"other"')).toBeNull();
  });

  it.each([
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=3-2',
    'bytes=a-b',
    'bytes=0-1,3-4',
    `bytes=${'0-1,'.repeat(1_000)}0-1`,
    'bytes=3-1x',
    'nonsense',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'lines=0-1',
  ])('%j is not a range, so everything is returned', (range) => {
    expect(of(range, 10)).toBeNull();
  });

  it.each([
    ['bytes=10-', 10],
    ['bytes=10-20', 10],
    ['bytes=99-100', 10],
    [`bytes=${'9'.repeat(400)}-`, 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-1', 0],
  ])('%s of %i bytes cannot be returned', (range, size) => {
    expect(() => of(range, size)).toThrow(RangeNotSatisfiable);
  });

  it('is absent without the header', () => {
    expect(byteRangeOf({}, 10, ETAG)).toBeNull();
  });
});
