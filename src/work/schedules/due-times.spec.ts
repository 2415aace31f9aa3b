import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ValidationFailed } from '../../platform/http/problem.js';
import { DueTimes, MOST_COUNTED } from './due-times.js';
import { GENERATED_CASES } from '../../../test/support/generated-cases.js';

const CASES = { numRuns: GENERATED_CASES };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Changes of clocks in 2027: by an hour and by half of one, at night and at midnight, at a quarter of an hour, and none. */
const CHANGES = [
  ['Europe/Berlin', '2027-03-28T01:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00Z'],
  ['America/New_York', '2027-03-14T07:00Z'],
  ['America/New_York', '2027-11-07T06:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30Z'],
  ['America/Santiago', '2027-04-04T03:00Z'],
  ['America/Santiago', '2027-09-05T04:00Z'],
  ['Asia/Beirut', '2027-03-27T22:00Z'],
  ['Asia/Beirut', '2027-10-30T21:00Z'],
  ['Pacific/Chatham', '2027-04-03T14:00Z'],
  ['Pacific/Chatham', '2027-09-25T14:00Z'],
  ['Asia/Kathmandu', '2027-03-28T01:00Z'],
] as const;

/** What the clock of a zone shows in each minute of three days around a change, in milliseconds of UTC. */
const windows = CHANGES.map(([zone, change]) => {
  const begin = Date.parse(change) - 36 * HOUR;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const shown = Array.from({ length: 72 * 60 }, (_, minute) =>
    Date.parse(`${clock.format(begin + minute * MINUTE).replace(' ', 'T')}Z`),
  );
  return { zone, change: Date.parse(change), begin, shown };
});

/** A field of an expression as text, and the numbers that it admits. */
interface Field {
  text: string;
  fits: (value: number) => boolean;
}

const listOf = (values: readonly number[]): Field => ({
  text: values.join(','),
  fits: (value) => values.includes(value),
});
const star: Field = { text: '*', fits: () => true };
const field = (least: number, most: number) =>
  fc.oneof(
    fc.constant(star),
    fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 }).map(listOf),
    fc
      .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }))
      .map(([one, other]): Field => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        return { text: `${from}-${to}`, fits: (value) => value >= from && value <= to };
      }),
  );
const steps = (least: number, most: number) =>
  fc.integer({ min: 2, max: 20 }).map((step): Field => ({
    text: `*/${step}`,
    fits: (value) => value >= least && value <= most && (value - least) % step === 0,
  }));

interface Fields {
  minute: Field;
  hour: Field;
  day: Field;
  month: Field;
  weekday: Field;
}
const anyFields: fc.Arbitrary<Fields> = fc.record({
  minute: fc.oneof(field(0, 59), steps(0, 59)),
  hour: fc.oneof(field(0, 5), field(0, 23), steps(0, 23)),
  day: fc.oneof({ weight: 3, arbitrary: fc.constant(star) }, { weight: 1, arbitrary: field(1, 28) }),
  month: fc.oneof({ weight: 5, arbitrary: fc.constant(star) }, { weight: 1, arbitrary: field(3, 11) }),
  weekday: fc.oneof({ weight: 3, arbitrary: fc.constant(star) }, { weight: 1, arbitrary: field(0, 6) }),
});
const textOf = ({ minute, hour, day, month, weekday }: Fields) =>
  [minute, hour, day, month, weekday].map(({ text }) => text).join(' ');

function fits({ minute, hour, day, month, weekday }: Fields, shown: number): boolean {
  // Arithmetic first: a date for each of a thousand minutes takes most of the time of this file.
  if (!minute.fits((shown / MINUTE) % 60) || !hour.fits(Math.floor(shown / HOUR) % 24)) return false;
  const at = new Date(shown);
  const [isDay, isWeekday] = [day.fits(at.getUTCDate()), weekday.fits(at.getUTCDay())];
  const dayFits = day === star || weekday === star ? isDay && isWeekday : isDay || isWeekday;
  return month.fits(at.getUTCMonth() + 1) && dayFits;
}

/** The due times of a window by their definition: a person watches the clock, and acts on each time when it has come or passed. */
function watched(fields: Fields, { begin, shown }: (typeof windows)[number]): number[] {
  const due: number[] = [];
  let latest = shown[0]!;
  for (const [minute, now] of shown.entries()) {
    let isDue = false;
    for (; latest < now; latest += MINUTE) isDue = fits(fields, latest + MINUTE) || isDue;
    if (isDue) due.push(begin + minute * MINUTE);
  }
  return due;
}

const aCase = fc.record({
  window: fc.constantFrom(...windows),
  fields: anyFields,
  /** Where the look begins, and how far it goes. */
  from: fc.integer({ min: -5 * HOUR, max: 3 * HOUR }),
  ahead: fc.integer({ min: 0, max: 3 * HOUR }),
});

describe('due times', () => {
  it('are those of a person who watches the clock, over both changes of summer time', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(aCase, ({ window, fields, from, ahead }) => {
        const start = window.change + from;
        const expected = watched(fields, window).filter((time) => time > start);
        fc.pre(expected.length > 0);
        const times = new DueTimes(textOf(fields), window.zone);
        const first = expected.slice(0, 8);
        expect(times.upcoming(new Date(start), first.length).map(Number)).toEqual(first);
        const until = Math.min(expected[0]! + ahead, window.begin + (window.shown.length - 1) * MINUTE);
        const passed = expected.filter((time) => time <= until);
        expect(times.latest(new Date(expected[0]!), new Date(until))).toEqual({
          latest: new Date(passed.at(-1)!),
          missed: Math.min(MOST_COUNTED, passed.length - 1),
        });
        seen.add(window.zone);
      }),
      CASES,
    );
    expect(seen.size).toBe(7);
  });

  it.each([
    // 02:00 to 03:00 does not exist.
    ['30 2 * * *', '2027-03-28T00:00Z', ['2027-03-28T01:00Z', '2027-03-29T00:30Z']],
    ['*/20 2 * * *', '2027-03-28T00:00Z', ['2027-03-28T01:00Z', '2027-03-29T00:00Z']],
    ['0 3 * * *', '2027-03-28T00:00Z', ['2027-03-28T01:00Z', '2027-03-29T01:00Z']],
    ['*/30 2,3 * * *', '2027-03-28T00:00Z', ['2027-03-28T01:00Z', '2027-03-28T01:30Z']],
    // 02:00 to 03:00 exists twice.
    ['30 2 * * *', '2027-10-31T00:00Z', ['2027-10-31T00:30Z', '2027-11-01T01:30Z']],
    ['30 2 * * *', '2027-10-31T00:30Z', ['2027-11-01T01:30Z', '2027-11-02T01:30Z']],
    ['*/30 * * * *', '2027-10-31T00:00Z', ['2027-10-31T00:30Z', '2027-10-31T02:00Z']],
    ['*/30 * * * *', '2027-10-31T01:10Z', ['2027-10-31T02:00Z', '2027-10-31T02:30Z']],
    ['0 0 29 2 *', '2027-01-01T00:00Z', ['2028-02-28T23:00Z', '2032-02-28T23:00Z']],
    ['0 9 13 * FRI', '2027-08-01T00:00Z', ['2027-08-06T07:00Z', '2027-08-13T07:00Z']],
    ['0 0 1 jan *', '2027-08-01T00:00Z', ['2027-12-31T23:00Z', '2028-12-31T23:00Z']],
    ['0 0 * * 7', '2027-08-02T00:00Z', ['2027-08-07T22:00Z', '2027-08-14T22:00Z']],
  ])('of %s in Berlin after %s are %j', (cron, after, times) => {
    const found = new DueTimes(cron, 'Europe/Berlin').upcoming(new Date(after), times.length);
    expect(found).toEqual(times.map((time) => new Date(time)));
  });

  it('are after an instant within their own minute, and never at it', () => {
    const times = new DueTimes('0 9 * * *', 'UTC');
    expect(times.next(new Date('2027-01-01T08:59:59.999Z'))).toEqual(new Date('2027-01-01T09:00Z'));
    expect(times.next(new Date('2027-01-01T09:00:00.000Z'))).toEqual(new Date('2027-01-02T09:00Z'));
    expect(times.next(new Date('2027-01-01T09:00:00.001Z'))).toEqual(new Date('2027-01-02T09:00Z'));
  });

  it('skip a day that a zone left out, once', () => {
    const times = new DueTimes('0 */6 * * *', 'Pacific/Apia');
    expect(times.upcoming(new Date('2011-12-30T09:00Z'), 2)).toEqual([
      new Date('2011-12-30T10:00Z'),
      new Date('2011-12-30T16:00Z'),
    ]);
  });

  it('that were missed for years are counted up to a limit', () => {
    const [first, until] = [new Date('2027-01-01T00:00Z'), new Date('2030-01-01T00:00:30Z')];
    expect(new DueTimes('* * * * *', 'Europe/Berlin').latest(first, until)).toEqual({
      latest: new Date('2030-01-01T00:00Z'),
      missed: MOST_COUNTED,
    });
  });

  it('are shown by the clock of the zone', () => {
    const times = new DueTimes('* * * * *', 'America/New_York');
    expect(times.local(new Date('2027-03-14T07:00Z'))).toEqual({ date: '2027-03-14', time: '03:00' });
    expect(times.local(new Date('2027-01-01T04:59:59.999Z'))).toEqual({ date: '2026-12-31', time: '23:59' });
  });

  it.each([
    ['', 'five fields'],
    ['* * * *', 'five fields'],
    ['0 0 9 * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['60 * * * *', 'not a cron expression'],
    ['* 24 * * *', 'not a cron expression'],
    ['* * 0 * *', 'not a cron expression'],
    ['* * * 13 *', 'not a cron expression'],
    ['* * * * 8', 'not a cron expression'],
    ['*/0 * * * *', 'not a cron expression'],
    ['5-1 * * * *', 'not a cron expression'],
    ['1,,2 * * * *', 'not a cron expression'],
    ['0 0 L * *', 'the day of the month'],
    ['0 0 ? * *', 'the day of the month'],
    ['0 0 * MON *', 'the month'],
    ['0 0 * * FRI#2', 'the day of the week'],
    ['0 0 30 2 *', 'no date at all'],
    ['0 0 31 4,6,9,11 *', 'no date at all'],
  ])('of %j are refused: %s', (cron, message) => {
    const errors = errorsOf(cron, 'UTC');
    expect(errors).toEqual([{ path: 'cron', message: expect.stringContaining(message) }]);
  });

  it.each(['', 'Europe/Nowhere', '+01:00', 'UTC+1', ' UTC', 'Europe/Berlin; DROP', '../UTC', '1'])(
    'in the time zone %j are refused',
    (zone) => {
      expect(errorsOf('* * * * *', zone)).toEqual([{ path: 'timeZone', message: expect.any(String) }]);
    },
  );

  it.each(['UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'EST5EDT'])(
    'in the time zone %j are known',
    (zone) => {
      expect(new DueTimes('* * * * *', zone).next(new Date(0))).toEqual(new Date(MINUTE));
    },
  );

  it('of any text are refused or come, and never throw anything else', () => {
    const part = fc.stringMatching(/^[0-9*,/A-Z-]{1,6}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 5, maxLength: 5 }), (parts) => {
        try {
          const after = new Date('2027-01-01T00:00Z');
          expect(Number(new DueTimes(parts.join(' '), 'Europe/Berlin').next(after))).toBeGreaterThan(
            Number(after),
          );
        } catch (error) {
          if (!(error instanceof ValidationFailed)) throw error;
        }
      }),
      CASES,
    );
  });
});

it.each([
  ['* * * 13 *', 'month: 13'],
  ['* * 0 * *', 'day: 0'],
  ['60 * * * *', 'minute: 60'],
])('%s is refused for the value that it has: %s', (cron, value) => {
  expect(errorsOf(cron, 'UTC')).toEqual([
    { path: 'cron', message: `is not a cron expression: Invalid value for ${value}` },
  ]);
});

function errorsOf(cron: string, zone: string): unknown {
  try {
    return new DueTimes(cron, zone);
  } catch (error) {
    return error instanceof ValidationFailed ? error.errors : error;
  }
}
