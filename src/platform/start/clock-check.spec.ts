import { describe, expect, it } from '@jest/globals';
import { warningOf } from './data-folder-clock-and-descriptor-checks.js';

const MINUTE = 60_000;

describe('the warning of a clock', () => {
  it.each([
    [400 * 24 * 60 * MINUTE, '400 days ahead of'],
    [-90 * MINUTE, '2 hours behind'],
    [61_000, '1 minute ahead of'],
  ])('says for %i ms how far and in which direction it is wrong', (ahead, text) => {
    expect(warningOf(ahead)).toContain(`The clock of this host is ${text} the clock of the database`);
  });

  it('does not exist within a minute', () => {
    expect([0, MINUTE, -MINUTE].map(warningOf)).toEqual([null, null, null]);
  });
});
