import type { ReactNode } from 'react';
import type { AgentBudget } from '../../api/types';
import { classes } from '../../parts/classes';
import { countOf, sayNumber } from '../../parts/count';
import { measureNames, measures, sayFigure } from '../../shared/usage/queries';
import styles from './figures.module.css';

interface Stat {
  label: string;
  /** The figure; a link where it narrows the list below. */
  value: ReactNode;
  note?: ReactNode;
  /** Whether its note is longer than the others. */
  wide?: boolean;
}

interface StatsProps {
  label: string;
  stats: readonly Stat[];
  /** Whether a phone leaves out the notes, because the list below is what one came for. */
  short?: boolean;
}

/** Sums in a row, each with what it is. */
export function Stats({ label, stats, short = false }: StatsProps) {
  return (
    <dl className={classes(styles.stats, short && styles.short)} aria-label={label}>
      {stats.map(({ label: name, value, note, wide }) => (
        <div key={name} className={classes(styles.stat, wide && styles.wide)}>
          <dt className={styles.label}>{name}</dt>
          <dd className={styles.value}>{value}</dd>
          <dd className={styles.note}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A word that stands in the head of a column, and on a phone, which has no heads, beside what it names. */
export function Noun({ children }: { children: ReactNode }) {
  return <span className={styles.noun}>{children}</span>;
}

interface FigureProps {
  className: string | undefined;
  value: number;
  one: string;
  many?: string;
}

/** A number under its column, with its noun. */
export function Figure({ className, value, one, many = `${one}s` }: FigureProps) {
  return (
    <span role="cell" className={classes(className, value === 0 && styles.none)}>
      {sayNumber(value)}
      <Noun> {value === 1 ? one : many}</Noun>
    </span>
  );
}

const HEIGHT = 20;
const STEP = 3;
const BAR = 2;

/** `1 turn or call`, `120 turns and calls`. */
const actions = (count: number): string => countOf(count, 'turn or call', 'turns and calls');

/** What the bars of an agent say, for those who do not see them. */
export function activityWords(activity: readonly number[]): string {
  const total = activity.reduce((sum, amount) => sum + amount, 0);
  if (total === 0) return 'No activity in 24 hours';
  const most = Math.max(...activity);
  const ago = activity.length - 1 - activity.lastIndexOf(most);
  const when = ago === 0 ? 'in this hour' : ago === 1 ? '1 hour ago' : `${ago} hours ago`;
  return `${actions(total)} in 24 hours, most of them ${when}: ${sayNumber(most)}`;
}

/**
 * A bar per hour. The height grows with the square root, so that a quiet agent beside a busy one is not a flat line.
 * @param most the largest amount of all that stand beside each other, which has the whole height
 */
export function Spark({ activity, most }: { activity: readonly number[]; most: number }) {
  const words = activityWords(activity);
  const heightOf = (amount: number) => Math.max(1.5, Math.sqrt(amount / Math.max(most, 1)) * (HEIGHT - 1));
  const bars = activity
    .map((amount, hour) => {
      const height = heightOf(amount);
      return amount === 0
        ? ''
        : `M${hour * STEP} ${HEIGHT}v${-height.toFixed(1)}h${BAR}v${height.toFixed(1)}z`;
    })
    .join('');
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${activity.length * STEP - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <line x1="0" y1={HEIGHT} x2={activity.length * STEP} y2={HEIGHT} />
      <path d={bars} />
    </svg>
  );
}

/** Days and months of budgets are those of UTC. */
const periods = { day: 'per day', month: 'per month', total: 'in all' } as const;
/** From this share on a budget is nearly used up, as in Needs you. */
const NEAR = 0.8;

/** The limit of which most is used, in words, and its share; null without a budget. */
export function nearestLimit(budget: AgentBudget | null): { share: number; words: string } | null {
  if (budget === null) return null;
  const limits = measures.flatMap((measure) => {
    const limit = budget.limits[measure];
    if (limit === null) return [];
    const used = budget.used[measure];
    const amounts = `${sayFigure(measure, used)} of ${sayFigure(measure, limit)}`;
    const unit = measure === 'costMicros' ? '' : ` ${measureNames[measure].toLowerCase()}`;
    return [{ share: used / limit, words: `${amounts}${unit} ${periods[budget.period]}` }];
  });
  return limits.toSorted((a, b) => b.share - a.share)[0] ?? null;
}

/** How much of a budget is used; nothing without one. */
export function BudgetBar({ budget }: { budget: AgentBudget | null }) {
  const nearest = nearestLimit(budget);
  if (nearest === null) return null;
  const { share, words } = nearest;
  return (
    <progress
      className={styles.bar}
      value={Math.min(1, share)}
      max={1}
      data-near={(share >= NEAR && share < 1) || undefined}
      data-full={share >= 1 || undefined}
      aria-label={`Budget: ${words}`}
      title={`Budget: ${words}`}
    />
  );
}
