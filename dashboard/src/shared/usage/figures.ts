const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en');
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** What is counted and limited, in the order in which it is shown. */
export const measures = ['tokens', 'costMicros', 'turns', 'toolCalls', 'wallSeconds'] as const;
export type Measure = (typeof measures)[number];

export const measureNames: Record<Measure, string> = {
  tokens: 'Tokens',
  costMicros: 'Cost',
  turns: 'Turns',
  toolCalls: 'Tool calls',
  wallSeconds: 'Time',
};

/** `12.4K`: large figures in short, for places where their size matters and not their last digit. */
export const shortNumber = (value: number): string => short.format(value);

/** `$1.24`; a cost that would round to nothing is shown as less than a cent. */
export function costOf(micros: number): string {
  if (micros > 0 && micros < 10_000) return '< $0.01';
  return dollars.format(micros / 1_000_000);
}

/** `5 h 12 min` and `3 min`: how long work was held, in hours without end, because days of work are not days. */
export function timeOf(seconds: number): string {
  if (seconds > 0 && seconds < 60) return '< 1 min';
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** A figure of a measure in its unit. */
export function sayFigure(measure: Measure, value: number): string {
  if (measure === 'costMicros') return costOf(value);
  if (measure === 'wallSeconds') return timeOf(value);
  return measure === 'tokens' ? shortNumber(value) : whole.format(value);
}
