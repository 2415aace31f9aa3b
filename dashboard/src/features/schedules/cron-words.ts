const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** So many times of day are named one by one. */
const MOST_TIMES = 4;

/** A part of a field: `*`, `5`, `MON-FRI` or `10-50/10`. */
interface Part {
  from: number | null;
  to: number | null;
  step: number;
}

/** Returns what a cron expression says as a sentence without a full stop, or null for what is not one. */
export function cronWords(cron: string): string | null {
  const texts = cron.trim().split(/\s+/);
  if (texts.length !== 5) return null;
  const names = [
    [],
    [],
    [],
    MONTHS.map((name) => name.slice(0, 3)),
    DAYS.slice(0, 7).map((name) => name.slice(0, 3)),
  ];
  const fields = texts.map((text, at) => partsOf(text, names[at]!));
  if (fields.some((field) => field === null)) return null;
  const [minute, hour, day, month, weekday] = fields as Part[][];
  const days = daysIn(day!, weekday!);
  const months = isEvery(month!) ? '' : `in ${fieldWords(month!, (n) => MONTHS[n - 1], 'month')}`;
  return [timesIn(minute!, hour!), days, months].filter(Boolean).join(' ');
}

function partsOf(text: string, names: readonly string[]): Part[] | null {
  const parts = text.split(',').map((part): Part | null => {
    const match = /^(?:\*|([\dA-Z]+)(?:-([\dA-Z]+))?)(?:\/(\d+))?$/i.exec(part);
    if (!match) return null;
    const [from, to] = [numberOf(match[1], names), numberOf(match[2], names)];
    return from === undefined || to === undefined ? null : { from, to, step: Number(match[3] ?? 1) };
  });
  return parts.includes(null) ? null : (parts as Part[]);
}

/** Months count from 1, days of the week from 0. */
function numberOf(text: string | undefined, names: readonly string[]): number | null | undefined {
  if (text === undefined) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const at = names.findIndex((name) => name.toUpperCase() === text.toUpperCase());
  return at === -1 ? undefined : at + (names.length === 12 ? 1 : 0);
}

const isEvery = ([part, ...more]: Part[]): boolean =>
  more.length === 0 && part!.from === null && part!.step === 1;
const single = ({ from, to, step }: Part): boolean => from !== null && to === null && step === 1;
const stepOf = ([part, ...more]: Part[]): number | null =>
  more.length === 0 && part!.from === null && part!.step > 1 ? part!.step : null;

function timesIn(minute: Part[], hour: Part[]): string {
  if (minute.every(single) && hour.every(single) && minute.length * hour.length <= MOST_TIMES)
    return `At ${listed(hour.flatMap((h) => minute.map((m) => clock(h.from!, m.from!))))}`;
  const hours = isEvery(hour) ? '' : ` in ${fieldWords(hour, (n) => clock(n, 0), 'hour')}`;
  if (isEvery(minute)) return `Every minute${hours}`;
  const step = stepOf(minute);
  if (step !== null) return `Every ${step} minutes${hours}`;
  const minutes = fieldWords(minute, String, 'minute');
  return `At ${minutes} ${minutes === '1' ? 'minute' : 'minutes'} past ${isEvery(hour) ? 'each hour' : fieldWords(hour, String, 'hour')}`;
}

function daysIn(day: Part[], weekday: Part[]): string {
  const ofMonth = isEvery(day) ? '' : `on ${fieldWords(day, (n) => `day ${n}`, 'day')} of the month`;
  const ofWeek = isEvery(weekday) ? '' : `on ${fieldWords(weekday, (n) => DAYS[n], 'day of the week')}`;
  if (!ofMonth && !ofWeek) return 'each day';
  return [ofMonth, ofWeek].filter(Boolean).join(' or ');
}

function fieldWords(parts: Part[], word: (n: number) => string | undefined, unit: string): string {
  const named = (n: number) => word(n) ?? String(n);
  return listed(
    parts.map(({ from, to, step }) => {
      const range = from === null ? '' : to === null ? named(from) : `${named(from)} to ${named(to)}`;
      if (step === 1) return range || `every ${unit}`;
      return `every ${ordinal(step)} ${unit}${range ? ` from ${range}` : ''}`;
    }),
  );
}

const clock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

function ordinal(n: number): string {
  const ending = [11, 12, 13].includes(n % 100) ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
