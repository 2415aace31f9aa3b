import { describe, expect, it } from '@jest/globals';
import { Transform } from 'class-transformer';
import { IsBoolean, IsDate, IsInt, Max, Min, MinDate } from 'class-validator';
import 'reflect-metadata';
import { ValidationFailed } from './problem.js';
import { INSTANT_MESSAGE, toInstant } from './text-and-instant-rules.js';
import { MayBeAbsent, validationPipe } from './validation.pipe.js';

class Given {
  @IsInt()
  @Min(1)
  @Max(10)
  token!: number;

  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  @MinDate(() => new Date(0), { message: 'must lie after 1970' })
  at?: Date;

  @MayBeAbsent()
  @IsBoolean()
  flag?: boolean;
}

const pipe = validationPipe();
const read = (body: unknown) => pipe.transform(body, { type: 'body', metatype: Given });
const errorsOf = async (body: unknown) => {
  const error: unknown = await read(body).catch((thrown: unknown) => thrown);
  return error instanceof ValidationFailed ? error.errors : error;
};

describe('the validation of a body', () => {
  it.each([['1'], [null], [true], [1.5], [[1]], ['abc'], [{}]])(
    'names the type of %p before its range',
    async (token) => {
      expect(await errorsOf({ token })).toEqual([{ path: 'token', message: 'must be a whole number' }]);
    },
  );

  it('says that a missing value is required', async () => {
    expect(await errorsOf({ flag: true })).toEqual([{ path: 'token', message: 'is required' }]);
    expect(await errorsOf({})).toEqual([{ path: 'token', message: 'is required' }]);
  });

  it('names the range of a number of the right type', async () => {
    expect(await errorsOf({ token: 11 })).toEqual([
      { path: 'token', message: 'must not be greater than 10' },
    ]);
    expect(await errorsOf({ token: 0 })).toEqual([{ path: 'token', message: 'must not be less than 1' }]);
  });

  it.each([
    '2027-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2027-04-31T12:00:00+02:00',
    '2027-00-10T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-00T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T23:60:00Z',
    '2027-01-01T23:59:60Z',
    '2027-01-01T00:00:00+25:00',
    '2027-01-01',
    '2027-01-01T00:00:00',
    'tomorrow',
    '1798761600',
    '',
  ])('rejects %p, which is no instant', async (at) => {
    expect(await errorsOf({ token: 1, at })).toEqual([{ path: 'at', message: INSTANT_MESSAGE }]);
  });

  it.each([
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2027-12-31T23:59:59.999999+01:00', '2027-12-31T22:59:59.999Z'],
    ['2000-02-29T12:00:00-00:30', '2000-02-29T12:30:00.000Z'],
  ])('takes %p as an instant', async (at, instant) => {
    expect(await read({ token: 1, at })).toMatchObject({ at: new Date(instant) });
  });

  it.each(['prototype', 'toString', 'valueOf', '__defineGetter__', 'x'])(
    'rejects the unknown field %p',
    async (name) => {
      expect(await errorsOf({ token: 1, [name]: {} })).toEqual([
        { path: name, message: 'is not known here' },
      ]);
    },
  );
});
