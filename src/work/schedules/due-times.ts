import { Cron } from 'croner';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No zone changes its clock twice within it. */
const SLOT_MS = 6 * 60 * MINUTE_MS;

/** Missed times are counted up to here: counting those of a month without the service would hold up the process. */
export const MOST_COUNTED = 1_000;

const NUMBERS = /^[\d*,/-]+$/;
const MONTHS = /^(?:[\d*,/-]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)+$/i;
const WEEKDAYS = /^(?:[\d*,/-]|SUN|MON|TUE|WED|THU|FRI|SAT)+$/i;
/** What each field may be made of: what every cron knows, and none of the extensions of the library. */
const FIELDS = [
  ['the minute', NUMBERS],
  ['the hour', NUMBERS],
  ['the day of the month', NUMBERS],
  ['the month', MONTHS],
  ['the day of the week', WEEKDAYS],
] as const;

/** The form of an IANA name. Some versions of Node would take `+05:00` as well. */
const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** How local dates and times are read from the clock of a zone. */
const PARTS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** What a local clock shows: the milliseconds of the instant at which a clock of UTC shows the same. */
type Shown = number;

/**
 * The due times of a cron expression in a time zone (contract §5.11).
 *
 * The library says at which times of a clock the expression fits, and this class at which instants the clock of the zone shows
 * them. The library's own rule for summer time depends on the expression: it leaves out times that do not exist where the
 * minute or the hour is a list, a range or a step, and runs those that exist twice on both occurrences.
 *
 * Here a time that exists twice is due at its first occurrence, and one that does not exist at the next minute that does. So
 * the instants are in the order of the times, and times that share an instant are due once.
 */
export class DueTimes {
  private readonly expression: Cron;
  private readonly clock: Intl.DateTimeFormat;
  /** How far the clock is ahead of UTC in slots in which it is not changed: a look at the clock takes 20 µs. null in the others. */
  private readonly offsets = new Map<number, number | null>();

  /** @throws {ValidationFailed} on `cron` or `timeZone`, also for an expression that fits no time at all */
  constructor(cron: string, timeZone: string) {
    const errors: FieldError[] = [];
    const expression = expressionOf(cron);
    if (typeof expression === 'string') errors.push({ path: 'cron', message: expression });
    const clock = clockOf(timeZone);
    if (!clock)
      errors.push({
        path: 'timeZone',
        message: 'must be the IANA name of a time zone, such as Europe/Berlin',
      });
    if (typeof expression === 'string' || !clock) throw new ValidationFailed(errors);
    this.expression = expression;
    this.clock = clock;
  }

  /** Returns the first due time after an instant. */
  next(after: Date): Date {
    // All times that the clock has shown before are due before. In an hour that it shows for the second time so are some that
    // it has still to show again.
    for (let shown = this.shownAt(after.getTime()); ;) {
      shown = this.expression.nextRun(new Date(shown))!.getTime();
      const instant = this.instantOf(shown);
      if (instant > after.getTime()) return new Date(instant);
    }
  }

  /** Returns the next due times after an instant. */
  upcoming(after: Date, count: number): Date[] {
    const times: Date[] = [];
    for (let last = after; times.length < count; times.push(last)) last = this.next(last);
    return times;
  }

  /**
   * Returns the latest due time up to an instant, and how many were due before it, at most `MOST_COUNTED`.
   * @param first a due time that is not after `until`
   */
  latest(first: Date, until: Date): { latest: Date; missed: number } {
    // The library leaves out the time itself, and milliseconds.
    const after = Math.floor(this.shownAt(until.getTime()) / 1_000) * 1_000 + 1_000;
    const [before] = this.expression.previousRuns(1, new Date(after));
    let latest = new Date(Math.max(first.getTime(), before ? this.instantOf(before.getTime()) : 0));
    for (let later = this.next(latest); later <= until; later = this.next(later)) latest = later;
    let missed = 0;
    for (let time = first; time < latest && missed < MOST_COUNTED; time = this.next(time)) missed += 1;
    return { latest, missed };
  }

  /** Returns the date and the time that the clock of the zone shows at an instant, as 2027-03-28 and 03:00. */
  local(instant: Date): { date: string; time: string } {
    const shown = new Date(this.shownAt(instant.getTime())).toISOString();
    return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
  }

  /** Returns the first instant at which the clock shows a time, or the next one after it where it never shows it. */
  private instantOf(shown: Shown): number {
    // No zone is further than 14 hours from UTC, so one lies before the instant and the other after it.
    const offsets = [shown - DAY_MS, shown + DAY_MS].map((instant) => this.shownAt(instant) - instant);
    const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
    if (least === most || this.shownAt(shown - most) === shown) return shown - most;
    if (this.shownAt(shown - least) === shown) return shown - least;
    let [early, late] = [shown - most, shown - least];
    while (late - early > MINUTE_MS) {
      const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
      if (this.shownAt(middle) < shown) early = middle;
      else late = middle;
    }
    return late;
  }

  private shownAt(instant: number): Shown {
    const slot = Math.floor(instant / SLOT_MS);
    let offset = this.offsets.get(slot);
    if (offset === undefined) {
      const [first, last] = [this.offsetAt(slot * SLOT_MS), this.offsetAt((slot + 1) * SLOT_MS)];
      offset = first === last ? first! : null;
      this.offsets.set(slot, offset);
    }
    return instant + (offset ?? this.offsetAt(instant));
  }

  private offsetAt(instant: number): number {
    const parts = Object.fromEntries(
      this.clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    ) as Record<keyof typeof PARTS, number>;
    const { year, month, day, hour, minute, second } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
  }
}

/** Returns the expression with one space between its fields. */
export function normalized(cron: string): string {
  return cron.trim().split(/\s+/).join(' ');
}

/** Returns the expression, or what is wrong with it. */
function expressionOf(cron: string): Cron | string {
  const fields = normalized(cron).split(' ');
  if (fields.length !== FIELDS.length)
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  const wrong = FIELDS.find(([, form], at) => !form.test(fields[at]!));
  if (wrong) return `has characters in ${wrong[0]} that are not known there`;
  try {
    // An offset in place of a zone: the library then reads no clock for each time, which takes 15 times as long.
    const expression = new Cron(fields.join(' '), { mode: '5-part', utcOffset: 0, paused: true });
    return expression.nextRun(new Date()) ? expression : 'fits no date at all, such as 30 February';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `is not a cron expression: ${reasonOf(error)}`;
  }
}

/** The library counts days and months from 0, and names them so. */
function reasonOf({ message }: Error): string {
  return message
    .replace(/^CronPattern: /, '')
    .replace(
      /^(Invalid value for (?:day|month)): (-?\d+)$/,
      (_, what, place) => `${what}: ${Number(place) + 1}`,
    );
}

function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  if (!ZONE.test(timeZone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, ...PARTS });
  } catch {
    // The only reason for which it throws: there is no such zone.
    return null;
  }
}
