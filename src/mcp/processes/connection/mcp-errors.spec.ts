import { expect, it } from '@jest/globals';
import { McpError } from './mcp-errors.js';

it.each([1.5, Infinity, Number.NaN, 2 ** 53])(
  'gives an error with the code %d one that clients can read',
  (code) => {
    expect(new McpError(code, 'x')).toMatchObject({ code: -32_603, message: 'x' });
  },
);

it.each([-32_000, 0, 7])('keeps the code %d of an error', (code) => {
  expect(new McpError(code, 'x').code).toBe(code);
});
