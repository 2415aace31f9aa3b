import { expect, it } from '@jest/globals';
import { stateOf } from './tool-state.js';

it.each([
  [true, 'a', 'approved'],
  [true, 'b', 'changed'],
  [true, null, 'new'],
  [false, 'a', 'removed'],
  [false, null, 'removed'],
])('a tool with present %s and approved hash %s has the state %s', (present, approvedHash, state) => {
  expect(stateOf({ present, hash: 'a', approvedHash })).toBe(state);
});
