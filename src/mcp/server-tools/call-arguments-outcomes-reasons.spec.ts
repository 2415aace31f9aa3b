import { expect, it } from '@jest/globals';
import { shapeOf } from './call-arguments-outcomes-reasons.js';

it('returns the name and JSON type of every argument, never a value', () => {
  const given = {
    text: 'private',
    number: 1,
    yes: true,
    list: ['private'],
    none: null,
    deep: { private: 'private' },
  };
  const types = {
    text: 'string',
    number: 'number',
    yes: 'boolean',
    list: 'array',
    none: 'null',
    deep: 'object',
  };
  expect(shapeOf(given)).toEqual(types);
});

it('limits the number and length of names and replaces characters that the database rejects', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`name${at}`, at]));
  expect(Object.keys(shapeOf(many))).toHaveLength(51);
  expect(shapeOf(many)['…']).toBe('10 more');
  expect(Object.keys(shapeOf({ ['x'.repeat(1000)]: 1 }))[0]).toHaveLength(100);
  expect(Object.keys(shapeOf({ 'a\0\ud800': 1 }))).toEqual(['a\ufffd\ufffd']);
});
