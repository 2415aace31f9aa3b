import type { CSSProperties } from 'react';
import type { IssueLabel } from '../../../api/types';
import styles from './labels.module.css';

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
      <span className={styles.name}>{name}</span>
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
