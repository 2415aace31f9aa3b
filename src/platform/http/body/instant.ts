const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** The message for any other value. */
export const INSTANT_MESSAGE = 'must be an instant such as 2026-11-21T09:30:00Z, with a day that exists';

/**
 * Turns ISO 8601 with a zone into a Date; any other value stays unchanged and fails validation. `Date` alone would take
 * 30 February for 2 March.
 */
export const toInstant = ({ value }: { value: unknown }) => {
  const [, year, month, day] = (typeof value === 'string' && ISO_8601.exec(value)) || [];
  if (typeof value !== 'string' || day === undefined) return value;
  if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month))) return value;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? value : instant;
};

/** Returns the last day of a month; of none for a month that does not exist. */
function daysOf(year: number, month: number): number {
  return month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
}
