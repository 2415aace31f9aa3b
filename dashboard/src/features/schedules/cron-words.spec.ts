import { describe, expect, it } from '@jest/globals';
import { cronWords } from './cron-words';

describe('a cron expression', () => {
  it.each([
    ['* * * * *', 'Every minute each day'],
    ['*/15 * * * *', 'Every 15 minutes each day'],
    ['0 9 * * *', 'At 09:00 each day'],
    ['30 9,14 * * 1-5', 'At 09:30 and 14:30 on Monday to Friday'],
    ['0 9 * * mon', 'At 09:00 on Monday'],
    ['0 0 1 * *', 'At 00:00 on day 1 of the month'],
    ['0 0 1,15 * FRI', 'At 00:00 on day 1 and day 15 of the month or on Friday'],
    ['5 * * * *', 'At 5 minutes past each hour each day'],
    ['0 0 1 jan,jul *', 'At 00:00 on day 1 of the month in January and July'],
    ['*/10 8-17 * * *', 'Every 10 minutes in 08:00 to 17:00 each day'],
    ['0 */2 * * 0', 'At 0 minutes past every 2nd hour on Sunday'],
    ['0 0 */3 * *', 'At 00:00 on every 3rd day of the month'],
    ['0 6 * 3-11/2 7', 'At 06:00 on Sunday in every 2nd month from March to November'],
    ['  0   9 * *  1 ', 'At 09:00 on Monday'],
  ])('%s says: %s', (cron, words) => {
    expect(cronWords(cron)).toBe(words);
  });

  it.each(['', '* * * *', '0 0 9 * * *', '@daily', '0 9 * * FUN', 'a b c d e', '0 0 L * *'])(
    'is not in %j',
    (cron) => {
      expect(cronWords(cron)).toBeNull();
    },
  );
});
