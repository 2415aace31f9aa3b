import { expect, it } from '@jest/globals';
import { compareTools } from './tool-changes-and-withholding.service.js';

it('reports added, changed, removed and returned tools of a listing', () => {
  const known = [
    { name: 'same', hash: 'a', approvedHash: 'a', present: true, invalidReason: null },
    { name: 'other', hash: 'b', approvedHash: 'b', present: true, invalidReason: null },
    { name: 'gone', hash: 'c', approvedHash: 'c', present: true, invalidReason: null },
    { name: 'long gone', hash: 'd', approvedHash: 'd', present: false, invalidReason: null },
    { name: 'back', hash: 'e', approvedHash: 'e', present: false, invalidReason: null },
  ];
  const listed = new Map([
    ['same', 'a'],
    ['other', 'B'],
    ['back', 'e'],
    ['new', 'f'],
  ]);
  expect(compareTools(known, listed)).toEqual({
    added: ['new'],
    changed: ['other'],
    removed: ['gone'],
    returned: ['back'],
  });
});
