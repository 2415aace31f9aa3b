import { describe, expect, it } from 'vitest';
import { whatDiffers } from './tool-states';

const words = {
  title: null,
  description: 'Counts.',
  inputSchema: { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } },
  annotations: null,
};

describe('whatDiffers', () => {
  it('names the parts that agents read otherwise than they were approved', () => {
    expect(whatDiffers({ ...words, description: 'Counts and sends.' }, words)).toBe(
      'These differ: description.',
    );
    expect(
      whatDiffers({ ...words, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }, words),
    ).toBe('These differ: arguments, claims of the server.');
  });

  it('says that only the results differ where another order of members is all', () => {
    const inputSchema = { properties: { b: {}, a: {} }, type: 'object', required: ['a', 'b'] };
    expect(whatDiffers({ ...words, inputSchema }, words)).toMatch(/^What agents read is the same\./);
  });
});
