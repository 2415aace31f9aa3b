import { expect, it } from 'vitest';
import { hostsIn } from './import-dialog';

it('reads hosts between commas and blanks, and none as every public host', () => {
  expect(hostsIn(' api.acme.example, files.acme.example  b.example')).toEqual([
    'api.acme.example',
    'files.acme.example',
    'b.example',
  ]);
  expect(hostsIn(' , ')).toBeUndefined();
});
