import { expect, it } from 'vitest';
import { weaknessOf } from './variable-field';

it.each([
  ['short', /not hidden in results/],
  ['postgres', /ordinary word or number/],
  ['12345678', /ordinary word or number/],
  ['größenwahn', /ordinary word or number/],
])('warns of the secret %s', (value, said) => expect(weaknessOf(value)).toMatch(said));

it.each(['', 'sk-1234567', 'postgres1', 'correct horse battery', 'abcdefghijklmnopqrstuvwxyz'])(
  'says nothing of %j',
  (value) => expect(weaknessOf(value)).toBeNull(),
);
