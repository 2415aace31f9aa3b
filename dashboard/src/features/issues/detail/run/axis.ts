/** A stretch of time, in milliseconds since the epoch. A moment has both ends at the same instant. */
export interface Span {
  from: number;
  to: number;
}

/** A stretch of time to which the timeline is narrowed, with what lay in it. */
export interface Moment extends Span {
  words: string;
}

/** A part of an axis, with its place as shares of the width. A folded one is quiet time that takes little of it. */
interface Piece extends Span {
  left: number;
  right: number;
  folded: boolean;
}

/** Where each instant of a stretch of time stands, from 0 to 1. */
export interface Axis extends Span {
  pieces: readonly Piece[];
}

/** The share of the width that a folded stretch takes, and that all of them may take together. */
const FOLD = { each: 0.06, all: 0.4 };
/** How many of the longest quiet stretches are folded at most. */
const MOST_FOLDS = 6;
/** A quiet stretch is folded where it is longer than this share of the time in which something happened. */
const LONG = 0.5;
const SHORTEST_FOLD_MS = 60_000;

/**
 * Lays out a stretch of time. An issue that three runs of ten minutes worked on within two weeks would show three hairlines,
 * so long stretches in which nothing happened are folded: they keep a small width, and their length is written there.
 * @param busy when something happened
 */
export function axisOf({ from, to }: Span, busy: readonly Span[]): Axis {
  const end = Math.max(to, from + 1);
  const quiet = gapsIn({ from, to: end }, busy);
  const active = end - from - sum(quiet);
  const folds = quiet
    .filter((gap) => lengthOf(gap) > Math.max(SHORTEST_FOLD_MS, active * LONG))
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, MOST_FOLDS)
    .toSorted((a, b) => a.from - b.from);
  return { from, to: end, pieces: laidOut({ from, to: end }, folds) };
}

function laidOut({ from, to }: Span, folds: readonly Span[]): Piece[] {
  const fold = Math.min(FOLD.each, FOLD.all / Math.max(folds.length, 1));
  const drawn = to - from - sum(folds);
  // Where all of it is quiet, the folds share the width.
  const perMs = drawn > 0 ? (1 - fold * folds.length) / drawn : 0;
  const foldWidth = drawn > 0 ? fold : 1 / folds.length;
  const pieces: Piece[] = [];
  let left = 0;
  const add = (span: Span, width: number, folded: boolean): void => {
    if (lengthOf(span) <= 0) return;
    pieces.push({ ...span, left, right: left + width, folded });
    left += width;
  };
  let at = from;
  for (const gap of folds) {
    add({ from: at, to: gap.from }, (gap.from - at) * perMs, false);
    add(gap, foldWidth, true);
    at = gap.to;
  }
  add({ from: at, to }, (to - at) * perMs, false);
  return pieces;
}

/** The stretches in which none of the spans lies. */
function gapsIn({ from, to }: Span, busy: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let at = from;
  for (const span of busy.toSorted((a, b) => a.from - b.from)) {
    if (span.from > at) gaps.push({ from: at, to: Math.min(span.from, to) });
    at = Math.max(at, span.to);
    if (at >= to) break;
  }
  if (at < to) gaps.push({ from: at, to });
  return gaps.filter((gap) => gap.to > gap.from);
}

const lengthOf = ({ from, to }: Span): number => to - from;
const sum = (spans: readonly Span[]): number => spans.reduce((total, span) => total + lengthOf(span), 0);

/** How long spans last together; time in which several overlap counts once. */
export function covered(spans: readonly Span[]): number {
  let [total, until] = [0, -Infinity];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}

/** Where an instant stands on an axis, from 0 to 1. */
export function placeOf({ pieces, from }: Axis, at: number): number {
  if (at <= from) return 0;
  const piece = pieces.find(({ to }) => at <= to);
  if (piece === undefined) return 1;
  const share = (at - piece.from) / lengthOf(piece);
  return piece.left + share * (piece.right - piece.left);
}

/** Marks that stand so close that they are one, with their place in pixels. */
export interface Cluster<Mark> extends Span {
  left: number;
  width: number;
  marks: Mark[];
}

/**
 * Places marks on a width of pixels, and joins those that would overlap. So a lane draws no more than fit, whatever the
 * number of its marks.
 * @param marks in the order of their begin
 * @param least the width that each takes at least
 */
export function clustersOf<Mark extends Span>(
  marks: readonly Mark[],
  axis: Axis,
  { width, least }: { width: number; least: number },
): Cluster<Mark>[] {
  const clusters: Cluster<Mark>[] = [];
  for (const mark of marks) {
    if (mark.to < axis.from || mark.from > axis.to) continue;
    const from = Math.min(placeOf(axis, mark.from) * width, width - least);
    const right = Math.max(placeOf(axis, mark.to) * width, from + least);
    const before = clusters.at(-1);
    if (before && from < before.left + before.width) {
      before.marks.push(mark);
      before.width = Math.max(before.width, right - before.left);
      before.to = Math.max(before.to, mark.to);
    } else clusters.push({ from: mark.from, to: mark.to, left: from, width: right - from, marks: [mark] });
  }
  return clusters;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What lies between two ticks of an axis. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY),
];

/** A word below an axis, centred at its place in pixels. That of a fold says how much time it hides. */
export interface Tick {
  left: number;
  words: string;
  folded: boolean;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

const HALF_LETTER_PX = 3.4;
/** A word at an edge stays within the width. */
const EDGE_PX = 28;
/** The least distance between two words in pixels. */
const APART = { clock: 64, day: 96 };

/** Words at round times of a person's own clock, as many as fit; the first of a day has its date. */
export function ticksOf(axis: Axis, width: number): Tick[] {
  const folds = axis.pieces
    .filter(({ folded }) => folded)
    .map((piece) => ({
      left: Math.min(Math.max(((piece.left + piece.right) / 2) * width, EDGE_PX), width - EDGE_PX),
      words: roughly(lengthOf(piece)),
      folded: true,
    }));
  const ticks: Tick[] = [];
  let dayBefore = '';
  for (const piece of axis.pieces.filter(({ folded }) => !folded)) {
    const pixels = (piece.right - piece.left) * width;
    const step = STEPS.find((one) => (one / lengthOf(piece)) * pixels >= APART.clock) ?? STEPS.at(-1)!;
    for (const at of roundTimes(piece, step)) {
      const date = day.format(at);
      const isNewDay = date !== dayBefore;
      const time = (step < MINUTE ? clockSeconds : clock).format(at);
      const words = step >= DAY ? date : isNewDay ? `${date} ${time}` : time;
      const half = (words.length > 8 ? APART.day : APART.clock) / 2;
      const left = placeOf(axis, at) * width;
      const isFree = [...folds, ...ticks].every(
        (other) => Math.abs(other.left - left) >= half + other.words.length * HALF_LETTER_PX,
      );
      if (left < half - 8 || left > width - half + 8 || !isFree) continue;
      ticks.push({ left, words, folded: false });
      dayBefore = date;
    }
  }
  return [...ticks, ...folds].toSorted((a, b) => a.left - b.left);
}

/** The multiples of a step within a stretch, counted from midnight of a person's own clock. */
function roundTimes({ from, to }: Span, step: number): number[] {
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  const times: number[] = [];
  for (let at = midnight + Math.ceil((from - midnight) / step) * step; at <= to; at += step) times.push(at);
  return times;
}

/** `412 ms`, `9 s`, `4 min`, `3 h 20 min`, `6 days`: how long something lasted. */
export function lasting(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`;
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  return `${Math.floor(ms / HOUR)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
}

/** How long a fold is: minutes make no difference to one of hours. */
const roughly = (ms: number): string =>
  ms >= 2 * HOUR && ms < 2 * DAY ? `${Math.round(ms / HOUR)} h` : lasting(ms);

/** A time as the lanes name it: with seconds, and with its date where it is of another day than today. */
export function momentOf(at: number, now = Date.now()): string {
  const time = clockSeconds.format(at);
  return new Date(at).toDateString() === new Date(now).toDateString() ? time : `${day.format(at)} ${time}`;
}

/** A stretch in words: one time where it is a moment. */
export function stretchOf({ from, to }: Span): string {
  const [begin, end] = [momentOf(from), momentOf(to)];
  if (begin === end) return begin;
  const isOneDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${begin} to ${isOneDay ? clockSeconds.format(to) : end}`;
}

/** The mark of a cluster that lasts longest: the sign on the cluster is its sign, and not that of the first moment. */
export const longestOf = <Marked extends Span>(marks: readonly Marked[]): Marked =>
  marks.reduce((longest, mark) => (mark.to - mark.from > longest.to - longest.from ? mark : longest));
