const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
const dayMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** `09:31` today, `21 Nov` before, with the year where it is another one. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  return at.getFullYear() === now.getFullYear() ? dayMonth.format(at) : dayMonthYear.format(at);
}

const dayAndTime = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

const clockSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hour12: false });

/** `09:31:07`, where the day is known. */
export const clockTime = (iso: string): string => clockSeconds.format(new Date(iso));

/** The whole date and time with its zone. */
export const fullTime = (iso: string): string => full.format(new Date(iso));

/** `< 1 min`, `3 min`, `2 h`, `4 days`: how long ago, or how long until, without a sign. */
export function duration(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / 60_000);
  if (minutes < 1) return '< 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}

/** A time with the whole date as its title. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={full.format(new Date(iso))}>
      {shortTime(iso)}
    </time>
  );
}

/** How long something has lasted; the title is the time it began. */
export function Since({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={full.format(new Date(iso))}>
      {duration(Date.now() - Date.parse(iso))}
    </time>
  );
}

/** How long ago something happened: `3 min ago`; the title is the whole date. */
export function Ago({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={full.format(new Date(iso))}>
      {duration(Date.now() - Date.parse(iso))} ago
    </time>
  );
}

/** A time to come, by day and minute: `Mon, 29 Mar, 09:00`; the title is the whole date with its zone. */
export function DayAndTime({ iso }: { iso: string }) {
  const at = new Date(iso);
  return (
    <time dateTime={iso} title={full.format(at)}>
      {dayAndTime.format(at)}
    </time>
  );
}
