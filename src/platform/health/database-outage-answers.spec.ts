import { describe, expect, it } from '@jest/globals';
import { OutcomeUnknown, WritesUnconfirmed } from '../database/postgres-errors.js';
import { TryAgain } from '../database/transactions.service.js';
import { databaseProblem } from './database-outage-answers.js';
import { stateOf } from './database-state-and-space-checks.service.js';

const failing = (code: string) => Object.assign(new Error('x'), { code });

describe('the problem of a database that cannot do what was asked', () => {
  it.each([
    ['25006', 'database_read_only', /accepts no writes/],
    ['53100', 'storage_full', /disk of the database is full/],
    ['53300', 'unavailable', /has no connection left/],
    ['28P01', 'unavailable', /rejects the credentials/],
    ['3D000', 'unavailable', /rejects the credentials/],
    ['57P01', 'unavailable', /does not respond/],
    ['40P01', 'unavailable', /does not respond/],
  ])('names the cause of %s, also inside an error of TypeORM', (code, expected, detail) => {
    for (const error of [failing(code), { driverError: failing(code) }]) {
      const problem = databaseProblem(error);
      expect(problem).toMatchObject({ status: 503, code: expected, detail: expect.stringMatching(detail) });
      expect(problem?.headers['Retry-After']).toMatch(/^\d+$/);
    }
  });

  it('says whether a write that is not confirmed may have been made', () => {
    const unknown = new OutcomeUnknown(Promise.resolve(false));
    for (const error of [unknown, { driverError: unknown }])
      expect(databaseProblem(error)).toMatchObject({
        status: 503,
        code: 'outcome_unknown',
        headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
      });
    expect(databaseProblem(new WritesUnconfirmed())).toMatchObject({
      code: 'unavailable',
      detail: expect.stringMatching(/was not begun/),
    });
  });

  it('is a full disk where a quota is used up, for which PostgreSQL has no SQLSTATE', () => {
    const quota = (code: string) =>
      Object.assign(new Error('could not extend file "base/5/1": Disk quota exceeded'), { code });
    for (const error of [quota('XX000'), quota('58030'), { driverError: quota('XX000') }]) {
      expect(databaseProblem(error)).toMatchObject({ code: 'storage_full' });
      expect(stateOf(error)).toBe('full');
    }
    for (const error of [failing('XX000'), quota('P0001')]) expect(databaseProblem(error)).toBeNull();
  });

  it('is a full disk where PostgreSQL has no space for what a new connection has to write', () => {
    const refused = Object.assign(new Error('could not write init file'), { code: 'XX000' });
    for (const error of [refused, { driverError: refused }]) {
      expect(databaseProblem(error)).toMatchObject({ code: 'storage_full' });
      expect(stateOf(error)).toBe('full');
    }
  });

  it('is unavailable for a transaction that has to run again, and absent for other errors', () => {
    expect(databaseProblem(new TryAgain())).toMatchObject({ code: 'unavailable' });
    for (const error of [failing('23505'), new TypeError('x'), null])
      expect(databaseProblem(error)).toBeNull();
  });
});

it.each([
  ['53100', 'full'],
  ['28P01', 'credentials rejected'],
  ['ECONNREFUSED', 'unreachable'],
  ['53300', 'unreachable'],
])('a database whose connections fail with %s is %s', (code, state) => {
  for (const error of [failing(code), { driverError: failing(code) }]) expect(stateOf(error)).toBe(state);
});
