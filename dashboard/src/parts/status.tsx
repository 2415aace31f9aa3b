import type { CSSProperties } from 'react';
import type { IssueLabel, IssueStatus, Priority, ServerStatus } from '../api/types';
import { classes } from './classes';
import { sayNumber } from './count';
import { Icon, type IconName } from './icon';
import styles from './status.module.css';

const words = {
  none: 'No priority',
  low: 'Low priority',
  medium: 'Medium priority',
  high: 'High priority',
  urgent: 'Urgent',
} as const satisfies Record<Priority, string>;

export const priorityWord = (priority: Priority): string => words[priority];

export function PriorityIcon({ priority }: { priority: Priority }) {
  return (
    <span
      className={classes(styles.priority, priority === 'urgent' && styles.urgent)}
      title={words[priority]}
    >
      <Icon name={priority} />
      <span className="sr-only">{words[priority]}</span>
    </span>
  );
}

/** How each status reads: word, icon and colour together; the colour alone never says it. */
export const issueStatuses = {
  Open: { word: 'Open', icon: 'open', tone: 'open' },
  InProgress: { word: 'In progress', icon: 'progress', tone: 'progress' },
  WaitingOnDependency: { word: 'Waiting', icon: 'waiting', tone: 'waiting' },
  PendingReview: { word: 'In review', icon: 'review', tone: 'review' },
  Resolved: { word: 'Resolved', icon: 'resolved', tone: 'resolved' },
  Closed: { word: 'Closed', icon: 'closed', tone: 'closed' },
} as const satisfies Record<IssueStatus, { word: string; icon: IconName; tone: Tone }>;

export type Tone =
  | 'open'
  | 'progress'
  | 'waiting'
  | 'review'
  | 'resolved'
  | 'closed'
  | 'enabled'
  | 'disabled'
  | 'danger'
  | 'plain';

/** A pill with an icon and a word. */
export function Pill({ tone, icon, children }: { tone: Tone; icon: IconName; children: string }) {
  return (
    <span className={classes(styles.pill, styles[tone])}>
      <Icon name={icon} small />
      {children}
    </span>
  );
}

export function StatusPill({ status }: { status: IssueStatus }) {
  const { word, icon, tone } = issueStatuses[status];
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  );
}

/** The icon of a status in its colour, for places where the word stands close by; the word is kept for screen readers. */
export function StatusIcon({ status }: { status: IssueStatus }) {
  const { word, icon, tone } = issueStatuses[status];
  return (
    <span className={classes(styles.bare, styles[tone])} title={word}>
      <Icon name={icon} />
      <span className="sr-only">{word}</span>
    </span>
  );
}

const serverStatuses = {
  enabled: { word: 'Enabled', icon: 'enabled', tone: 'enabled' },
  disabled: { word: 'Disabled', icon: 'disabled', tone: 'disabled' },
  error: { word: 'Error', icon: 'error', tone: 'danger' },
} as const satisfies Record<ServerStatus, { word: string; icon: IconName; tone: Tone }>;

/** The status of a server: word, icon and colour together. */
export function ServerStatusPill({ status }: { status: ServerStatus }) {
  const { word, icon, tone } = serverStatuses[status];
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  );
}

/** Colours a sign beside a sentence. */
export function Ink({ tone, icon, large = false }: { tone: Tone; icon: IconName; large?: boolean }) {
  return (
    <span className={classes(styles.bare, styles[tone])}>
      <Icon name={icon} small={!large} />
    </span>
  );
}

/** A small square label: attempts, paused, kind of author. */
export function Tag({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  children: React.ReactNode;
}) {
  return (
    <span className={classes(styles.tag, styles[tone])}>
      {icon && <Icon name={icon} small />}
      {children}
    </span>
  );
}

/** How many of the sub-issues of an issue are finished; nothing where it has none. */
export function SubIssueCount({ total, resolved }: { total: number; resolved: number }) {
  if (total === 0) return null;
  return (
    <Tag tone={resolved === total ? 'resolved' : 'plain'} icon="tree">
      <span aria-hidden="true">
        {sayNumber(resolved)}/{sayNumber(total)}
      </span>
      <span className="sr-only">
        {sayNumber(resolved)} of {sayNumber(total)} sub-issues finished
      </span>
    </Tag>
  );
}

/** The pull requests of an issue that are open, and whether checks of one fail; nothing where there is none. */
export function PullRequestCount({ open, failing }: { open: number; failing: number }) {
  if (open === 0) return null;
  const what = open === 1 ? 'open pull request' : 'open pull requests';
  return (
    <Tag tone={failing > 0 ? 'danger' : 'plain'} icon={failing > 0 ? 'error' : 'link'}>
      <span aria-hidden="true">{sayNumber(open)}</span>
      <span className="sr-only">
        {sayNumber(open)} {what}
        {failing > 0 && `, checks of ${sayNumber(failing)} fail`}
      </span>
    </Tag>
  );
}

export function Count({
  value,
  hot = false,
  label,
}: {
  value: number | string;
  hot?: boolean;
  label?: string;
}) {
  return (
    <span className={classes(styles.count, hot && styles.hot)}>
      {typeof value === 'number' ? sayNumber(value) : value}
      {label && <span className="sr-only"> {label}</span>}
    </span>
  );
}

/** The colour of a label; its name beside it says what it means. */
export function LabelDot({ color }: { color: IssueLabel['color'] }) {
  return (
    <span
      className={styles.dot}
      style={{ '--dot': `var(--label-${color})` } as CSSProperties}
      aria-hidden="true"
    />
  );
}

export function LabelChip({ label: { name, color } }: { label: Pick<IssueLabel, 'name' | 'color'> }) {
  return (
    <span className={styles.chip} title={name}>
      <LabelDot color={color} />
      <span className={styles.words}>{name}</span>
    </span>
  );
}

interface LabelChipsProps {
  labels: readonly IssueLabel[];
  /** The most chips; the names of the others stand behind their number. */
  most?: number;
}

/** The labels of an issue, by name; nothing where there are none. */
export function LabelChips({ labels, most = Infinity }: LabelChipsProps) {
  if (labels.length === 0) return null;
  const more = labels.slice(most).map(({ name }) => name);
  return (
    <span className={styles.chips} data-labels="">
      <span className="sr-only">{labels.length === 1 ? 'Label:' : 'Labels:'}</span>
      {labels.slice(0, most).map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
      {more.length > 0 && (
        <span className={styles.more} title={more.join(', ')}>
          <span aria-hidden="true">+{more.length}</span>
          <span className="sr-only">{more.join(', ')}</span>
        </span>
      )}
    </span>
  );
}
