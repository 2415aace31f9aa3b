import { expect, it } from '@jest/globals';
import { pick } from './pick.js';

it('copies the named fields in the given order and leaves the others out', () => {
  const copy = pick({ id: 1, name: 'a', secret: 'x' }, 'name', 'id');
  expect(JSON.stringify(copy)).toBe('{"name":"a","id":1}');
});
