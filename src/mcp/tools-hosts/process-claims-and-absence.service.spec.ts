import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Absence } from './process-claims-and-absence.service.js';

let now = 0;
const onAbsence = jest.fn();
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  onAbsence.mockClear();
});
afterEach(() => void jest.restoreAllMocks());

describe('the absence of a host', () => {
  it('is not reported while the host announces itself', () => {
    const absence = new Absence(3_000, onAbsence);
    for (let n = 0; n < 60; n += 1) {
      now += 1_000;
      absence.look();
      absence.announced(now);
    }
    expect(onAbsence).not.toHaveBeenCalled();
  });

  it('is noticed by what arrives before the next announcement', () => {
    const absence = new Absence(3_000, onAbsence);
    now += 3_001;
    absence.look();
    expect(onAbsence).toHaveBeenCalledTimes(1);
  });

  it('is noticed by the next announcement, and is over then', () => {
    const absence = new Absence(3_000, onAbsence);
    now += 3_001;
    absence.announced(now);
    absence.look();
    expect(onAbsence).toHaveBeenCalledTimes(1);
  });

  it('counts from when an announcement was sent, because the database may have taken it then', () => {
    const absence = new Absence(3_000, onAbsence);
    const sent = now;
    now += 2_900;
    absence.announced(sent);
    now += 200;
    absence.look();
    expect(onAbsence).toHaveBeenCalledTimes(1);
  });
});
