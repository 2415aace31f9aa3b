import { describe, expect, it } from '@jest/globals';
import { CrashHistory } from './server-starts-first-listing-crashes.js';

const history = (): CrashHistory =>
  new CrashHistory({ first: 1_000, longest: 60_000 }, { crashes: 5, withinMs: 600_000 });

describe('CrashHistory', () => {
  it('doubles the pause before the next start from 1 s to 60 s', () => {
    const crashes = history();
    expect(crashes.pauseMs(0)).toBe(0);
    const pauses = [0, 0, 0, 0, 0, 0, 0, 0].map(() => {
      crashes.note(0);
      return crashes.pauseMs(0);
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(crashes.pauseMs(59_000)).toBe(1_000);
    expect(crashes.pauseMs(61_000)).toBe(0);
  });

  it('reports the fifth crash within ten minutes once', () => {
    const crashes = history();
    expect([1, 2, 3, 4, 5, 6].map((at) => crashes.note(at))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('does not report five crashes that lie further apart', () => {
    const crashes = history();
    const apart = [0, 1, 2, 3, 4, 5, 6].map((n) => crashes.note(n * 150_001));
    expect(apart).not.toContain(true);
  });

  it('starts from zero after `forget`', () => {
    const crashes = history();
    [1, 2, 3, 4].forEach((at) => crashes.note(at));
    crashes.forget();
    expect(crashes.pauseMs(5)).toBe(0);
    expect(crashes.note(6)).toBe(false);
  });
});
