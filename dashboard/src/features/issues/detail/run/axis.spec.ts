import { describe, expect, it } from 'vitest';
import { axisOf, clustersOf, covered, lasting, longestOf, placeOf, ticksOf } from './axis';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const midnight = new Date(2026, 10, 2).getTime();
/** A stretch that begins some minutes after midnight of the second of November. */
const span = (begin: number, minutes: number) => ({
  from: midnight + begin * MINUTE,
  to: midnight + (begin + minutes) * MINUTE,
});
const twoWeeks = { from: midnight, to: midnight + 14 * DAY };
const runs = [span(0, 10), { from: midnight + 7 * DAY, to: midnight + 7 * DAY + 10 * MINUTE }];

describe('an axis', () => {
  it('places time in proportion where it is short or busy', () => {
    const axis = axisOf(span(0, 100), [span(0, 100)]);
    expect(axis.pieces).toHaveLength(1);
    expect([0, 25, 100].map((minute) => placeOf(axis, midnight + minute * MINUTE))).toEqual([0, 0.25, 1]);
  });

  it('folds long quiet time, so that two runs of ten minutes in two weeks can be seen', () => {
    const axis = axisOf(twoWeeks, runs);
    expect(axis.pieces.map(({ folded }) => folded)).toEqual([false, true, false, true]);
    const widths = runs.map(({ from, to }) => placeOf(axis, to) - placeOf(axis, from));
    expect(widths[0]).toBeCloseTo(0.44);
    expect(widths[1]).toBeCloseTo(0.44);
  });

  it('has each instant at one place, in the order of time', () => {
    const axis = axisOf(twoWeeks, runs);
    const places = Array.from({ length: 200 }, (_, step) =>
      placeOf(axis, midnight + (step * 14 * DAY) / 199),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
    expect(placeOf(axis, midnight - DAY)).toBe(0);
    expect(placeOf(axis, midnight + 20 * DAY)).toBe(1);
  });

  it('never folds the time of a lease, however little happened in it', () => {
    const axis = axisOf({ from: midnight, to: midnight + DAY }, [{ from: midnight, to: midnight + DAY }]);
    expect(axis.pieces.some(({ folded }) => folded)).toBe(false);
  });

  it('shares its width among folds where all of it is quiet', () => {
    const moment = { from: midnight + DAY, to: midnight + DAY };
    const axis = axisOf({ from: midnight, to: midnight + 3 * DAY }, [moment]);
    expect(axis.pieces.map(({ right }) => right)).toEqual([0.5, 1]);
  });

  it('folds the six longest of many quiet stretches, and leaves most of the width to the rest', () => {
    const days = Array.from({ length: 20 }, (_, day) => ({
      from: midnight + day * DAY,
      to: midnight + day * DAY + MINUTE,
    }));
    const { pieces } = axisOf({ from: midnight, to: midnight + 20 * DAY }, days);
    const folds = pieces.filter(({ folded }) => folded);
    expect(folds).toHaveLength(6);
    expect(folds.reduce((sum, { left, right }) => sum + right - left, 0)).toBeLessThanOrEqual(0.4);
    expect(pieces.at(-1)!.right).toBeCloseTo(1);
  });
});

describe('marks on an axis', () => {
  const axis = axisOf(span(0, 100), [span(0, 100)]);
  const places = { width: 1000, least: 24 };

  it('take their length, and at least what a finger can hit', () => {
    const [long, short] = clustersOf([span(0, 10), span(50, 0)], axis, places);
    expect([long!.left, long!.width]).toEqual([0, 100]);
    expect([short!.left, short!.width]).toEqual([500, 24]);
  });

  it('are one where they would overlap, with the time of all of them', () => {
    const clusters = clustersOf([span(50, 0), span(51, 3), span(90, 0)], axis, places);
    expect(clusters.map(({ marks }) => marks.length)).toEqual([2, 1]);
    expect(clusters[0]).toMatchObject({ left: 500, width: 40, ...span(50, 4) });
  });

  it('stay within the width, also the last of them', () => {
    const [last] = clustersOf([span(100, 0)], axis, places);
    expect(last!.left + last!.width).toBe(1000);
  });

  it('are no more than fit, whatever their number', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => span(at / 100, 0));
    const clusters = clustersOf(many, axis, places);
    expect(clusters.length).toBeLessThanOrEqual(1000 / 24 + 1);
    expect(clusters.reduce((sum, { marks }) => sum + marks.length, 0)).toBe(10_000);
  });

  it('are left out where their time is not shown', () => {
    expect(clustersOf([span(-20, 10), span(120, 1)], axis, places)).toEqual([]);
  });
});

describe('the words below an axis', () => {
  it('are round times with the date once per day, and how much each fold hides', () => {
    const words = ticksOf(axisOf(twoWeeks, runs), 1000).map((tick) => tick.words);
    expect(words).toContain('6 days');
    expect(words.filter((word) => word.startsWith('9 Nov'))).toHaveLength(1);
    expect(words.filter((word) => /^00:0\d$/.test(word)).length).toBeGreaterThan(2);
  });

  it.each([320, 640, 1400])('do not run into each other at %i pixels', (width) => {
    const ticks = ticksOf(axisOf(twoWeeks, runs), width);
    for (const [index, tick] of ticks.slice(1).entries())
      expect(tick.left - ticks[index]!.left).toBeGreaterThan(40);
  });
});

describe('lengths of time', () => {
  it.each([
    [412, '412 ms'],
    [9_000, '9 s'],
    [4 * MINUTE, '4 min'],
    [200 * MINUTE, '3 h 20 min'],
    [60 * MINUTE, '1 h'],
    [6 * DAY, '6 days'],
  ])('of %i ms are %s', (ms, words) => {
    expect(lasting(ms)).toBe(words);
  });

  it('count once where spans overlap', () => {
    expect(covered([span(5, 10), span(0, 10), span(30, 5)])).toBe(20 * MINUTE);
  });
});

describe('the mark that stands for a cluster', () => {
  it('is the longest, and the first of equal ones', () => {
    const [moment, long, after] = [span(0, 0), span(0, 90), span(90, 90)];
    expect(longestOf([moment, long, after])).toBe(long);
    expect(longestOf([moment])).toBe(moment);
  });
});
