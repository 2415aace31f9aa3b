/** A month of the calendar in UTC, such as `2026-11`. Months sort as texts. */
export type Month = string;

/** How many positions of the journal a month has. No month uses them up, and 9,000 months fit into an exact number. */
const POSITIONS_PER_MONTH = 1_000_000_000_000;
const FIRST_YEAR = 2020;

export const isMonth = (text: string): text is Month => /^20[2-9]\d-(0[1-9]|1[0-2])$/.test(text);

export function monthOf(instant: Date): Month {
  return instant.toISOString().slice(0, 7);
}

/** Returns the month `count` months after `month`. */
export function monthAfter(month: Month, count = 1): Month {
  const index = indexOf(month) + count;
  return `${FIRST_YEAR + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Returns the months from `first` up to `last`, both included. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const count = Math.max(indexOf(last) - indexOf(first) + 1, 0);
  return Array.from({ length: count }, (_, at) => monthAfter(first, at));
}

/** The start of a month as PostgreSQL reads it, for a column of dates as well as of instants. */
export const startOf = (month: Month): string => `${month}-01 00:00:00+00`;

/** The position with which the journal begins a month (decision 0046). */
export const positionOf = (month: Month): number => indexOf(month) * POSITIONS_PER_MONTH;

function indexOf(month: Month): number {
  return (Number(month.slice(0, 4)) - FIRST_YEAR) * 12 + Number(month.slice(5)) - 1;
}
