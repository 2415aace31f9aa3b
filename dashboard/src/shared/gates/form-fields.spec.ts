import { expect, it } from 'vitest';
import { fieldsOf, filledIn } from './server-question-form';

const schema = {
  type: 'object',
  properties: {
    branch: { type: 'string', title: 'Branch', enum: ['main', 'next'], enumNames: ['Main', 'Next'] },
    times: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    sure: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    note: { type: 'string' },
  },
  required: ['branch'],
};

it('has a field with label, choices and default for each property', () => {
  expect(fieldsOf(schema)).toMatchObject([
    {
      path: ['branch'],
      label: 'Branch',
      required: true,
      choices: [
        ['main', 'Main'],
        ['next', 'Next'],
      ],
    },
    { path: ['times'], label: 'times', hint: 'At least 1. At most 9.', initial: '1', required: false },
    {
      path: ['sure'],
      choices: [
        ['true', 'Yes'],
        ['false', 'No'],
      ],
    },
    { path: ['names'], hint: 'Several of these, with commas: a, b.' },
    { path: ['note'], choices: [], initial: '' },
  ]);
});

it('returns values of their types, without empty fields', () => {
  expect(filledIn(fieldsOf(schema), ['next', '2', 'false', 'a, b', ''])).toEqual({
    branch: 'next',
    times: 2,
    sure: false,
    names: ['a', 'b'],
  });
});

it('keeps the answers of several questions apart', () => {
  const both = { type: 'object', properties: { first: schema, second: schema } };
  const fields = fieldsOf(both);
  expect(fields).toHaveLength(10);
  const given = fields.map(({ path }) => (path[1] === 'branch' ? 'main' : ''));
  expect(filledIn(fields, given)).toEqual({ first: { branch: 'main' }, second: { branch: 'main' } });
});
