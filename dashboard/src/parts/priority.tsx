import type { Priority } from '../api/types';
import { classes } from './classes';
import { Icon } from './icon';
import styles from './priority.module.css';

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
