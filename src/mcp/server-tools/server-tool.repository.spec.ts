import { expect, it } from '@jest/globals';
import { stateOf } from './server-tool.repository.js';

it.each([
  [true, 'a', null, 'approved'],
  [true, 'b', null, 'changed'],
  [true, null, null, 'new'],
  [true, 'a', 'It has no name.', 'invalid'],
  [false, 'a', null, 'removed'],
  [false, null, null, 'removed'],
  [false, null, 'It has no name.', 'removed'],
])(
  'a tool with present %s, approved hash %s and the error %s has the state %s',
  (present, approvedHash, invalidReason, state) => {
    expect(stateOf({ present, hash: 'a', approvedHash, invalidReason })).toBe(state);
  },
);
